import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson } from '../web/people.ts'
import { enterRoom, expectPictures, expectSound, tileOf } from '../web/room-media.ts'
import { expectAccessible, expectQuiet, newVisitor, type WebOffice } from '../web/visitor.ts'
import { tryComingBack, tryLost } from './coming-back.ts'
import { type OpenTap, PATIENCE, type Scene, sameWords, wordsOn } from './scene.ts'
import type { Picture } from './tap.ts'
import { isIn, listenTo, type Wiretap } from './wiretap.ts'

interface MediaOfTrial {
  openTap: OpenTap
  /** With a camera and a microphone of its own: two pages that reopen the same made-up camera at once lose it both. */
  openBrowser(): Promise<Browser>
  /** Ends the media server as an accident would, and begins another. */
  lose(): Promise<void>
  /** The media server is the office's own, and ends with it. */
  hasOwnMedia: boolean
}

/** Two members and a guest in a sealed room: they come, reload and leave. */
export async function trySealedRoom(
  office: WebOffice,
  { openTap, openBrowser, lose, hasOwnMedia }: MediaOfTrial,
  checkAny: Check,
): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Sealed Rooms' })
  const inviteToken = await inviteTokenOf(ada)
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken })
  const { room } = await ada.client.call('createRoom', { name: 'Vault' })
  const come = async () => await newVisitor({ ...office, browser: await openBrowser() })
  const at = { ada: await come(), grace: await come(), guest: await come() }
  const check = untilFirstFailure(checkAny, at)
  const scene: Scene = {
    ...{ office, ada, grace, at, openTap, hasOwnMedia, roomId: room.id },
    guestPath: '',
  }
  const wires = [await listenTo(at.ada), await listenTo(at.grace), await listenTo(at.guest)]
  try {
    await ada.enter(at.ada)
    await grace.enter(at.grace)
    await trySealing(scene, check)
    scene.guestPath = await guestPath(scene)
    await tryTogether(scene, check)
    await tryGuest(scene, check)
    await tryReload(scene, check)
    await tryLeaving(scene, check)
    await tryLoss(scene, lose, check)
    await tryComingBack(scene, wires, check)
    await tryTap(scene, check)
    await tryKeySearch(wires, check)
    await tryOldBrowser(scene, check)
    for (const visitor of Object.values(at)) expectQuiet(visitor)
  } finally {
    for (const [name, { page, context }] of Object.entries(at)) {
      await page.screenshot({ path: `${office.pictures}/${name}.png` }).catch(() => {})
      await context.close()
    }
  }
}

/** One step leads to the next: what cannot follow is not waited for, and each page says what it shows by then. */
function untilFirstFailure(check: Check, at: Scene['at']): Check {
  let isBroken = false
  return async (name, work) => {
    if (isBroken) return
    await check(name, async () => {
      isBroken = true
      await work()
      isBroken = false
    })
    if (!isBroken) return
    for (const [who, { page }] of Object.entries(at))
      console.log(`    ${who}: ${await page.evaluate(shownThere).catch(String)}`)
  }
}

function shownThere(): string {
  const frames = [...document.querySelectorAll('video')].map(
    (video) =>
      `${video.getVideoPlaybackQuality().totalVideoFrames} pictures at ${video.currentTime.toFixed(1)} s`,
  )
  return [document.body.innerText.replaceAll(/\s+/g, ' '), ...frames].join(' | ')
}

async function trySealing({ at, roomId, ada }: Scene, check: Check): Promise<void> {
  await check('sealed: an administrator seals a room', async () => {
    const { page } = at.ada
    await page.goto('/administration?part=rooms')
    await page.getByRole('button', { name: 'More about Vault' }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings of Vault' })
    await dialog.getByRole('switch', { name: /^Sealed/ }).press('Space')
    await dialog.getByText('Bots cannot come into a sealed room.').waitFor()
    assert.equal((await ada.client.call('getRoom', { roomId })).room.sealed, true)
    await dialog.getByRole('button', { name: 'Done' }).click()
  })
}

async function guestPath({ ada, roomId }: Scene): Promise<string> {
  const { organizationMemberships } = await ada.client.call('getCurrentUser')
  const orgId = organizationMemberships[0]?.organization.id ?? ''
  const invite = { orgId, roomId, durationSeconds: 3_600, allowAll: true }
  const { pathname, search } = new URL((await ada.client.call('inviteGuest', invite)).inviteUrl)
  return `${pathname}${search}`
}

async function tryTogether({ at, roomId, office }: Scene, check: Check): Promise<void> {
  await check('sealed: two members see and hear each other, and the same four words', async () => {
    await at.ada.page.goto(`/room/${roomId}`)
    await enterRoom(at.ada.page)
    const alone = await sameWords(at.ada.page)
    await at.grace.page.goto(`/room/${roomId}`)
    const since = performance.now()
    await enterRoom(at.grace.page)
    await expectPictures(at.grace.page, 'Ada Lovelace')
    console.log(`    pictures after ${((performance.now() - since) / 1_000).toFixed(1)} s`)
    await expectPictures(at.ada.page, 'Grace Hopper')
    await expectSound(at.ada.page)
    await expectSound(at.grace.page)
    assert.notEqual(await sameWords(at.ada.page, at.grace.page), alone)
    await at.ada.page.locator('.sealed-mark summary').click()
    await at.ada.page.getByText('are not sealed: the office can read them').waitFor()
    await expectAccessible(at.ada.page)
    await at.ada.page.screenshot({ path: `${office.pictures}/words.png` })
    await at.ada.page.locator('.sealed-mark summary').click()
    await at.ada.page.getByRole('button', { name: 'More' }).click()
    assert.equal(await at.ada.page.getByRole('button', { name: 'Start recording' }).count(), 0)
    await at.ada.page.keyboard.press('Escape')
  })
}

async function tryGuest({ at, guestPath }: Scene, check: Check): Promise<void> {
  await check('sealed: a guest is let in, sees and is seen, with the same words', async () => {
    const { page } = at.guest
    await page.goto(guestPath)
    await page.getByLabel('Your name').fill('Linus')
    await page.getByRole('button', { name: 'Ask to join' }).click()
    await at.ada.page.getByRole('button', { name: 'Let in Linus' }).click()
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await expectPictures(page, 'Ada Lovelace')
    await expectPictures(page, 'Grace Hopper')
    await expectPictures(at.ada.page, 'Linus')
    await expectPictures(at.grace.page, 'Linus')
    await expectSound(page)
    await sameWords(page, at.ada.page, at.grace.page)
  })
}

async function tryReload({ at }: Scene, check: Check): Promise<void> {
  for (const who of ['grace', 'guest'] as const)
    await check(`sealed: ${who} loads the page again, and is back`, async () => {
      const before = await sameWords(at.ada.page)
      await at[who].page.reload()
      await enterRoom(at[who].page)
      await expectPictures(at[who].page, 'Ada Lovelace')
      await expectPictures(at.ada.page, who === 'grace' ? 'Grace Hopper' : 'Linus')
      const after = await sameWords(at.ada.page, at.grace.page, at.guest.page)
      assert.notEqual(after, before)
    })
}

async function tryLeaving({ at }: Scene, check: Check): Promise<void> {
  await check('sealed: one leaves, and the others have another key within seconds', async () => {
    const before = await sameWords(at.ada.page, at.guest.page)
    await at.grace.page.getByRole('button', { name: 'Leave' }).click()
    await tileOf(at.ada.page, 'Grace Hopper').waitFor({ state: 'detached' })
    const since = performance.now()
    await eventually('other words', async () => (await wordsOn(at.ada.page)) !== before, PATIENCE)
    console.log(`    another key after ${((performance.now() - since) / 1_000).toFixed(1)} s`)
    await sameWords(at.ada.page, at.guest.page)
    await expectPictures(at.guest.page, 'Ada Lovelace')
    await expectPictures(at.ada.page, 'Linus')
  })
}

async function tryLoss({ at }: Scene, lose: () => Promise<void>, check: Check): Promise<void> {
  await check('sealed: the media server is killed: those inside are back, with one key', async () => {
    await tryLost(at, lose, { endsMedia: true })
  })
}

async function tryTap({ at, grace, ada, roomId, openTap }: Scene, check: Check): Promise<void> {
  await check('sealed: what the media server passes on are no pictures', async () => {
    const tap = await openTap(grace, roomId)
    await eventually(
      'that the key is not for it',
      async () => (await unsealedOn(at.ada.page)) === 1,
      PATIENCE,
    )
    const noise = await tap.pictures(20)
    const rustle = await tap.shareOfSound()
    await tap.leave()
    // the same in a room that is not sealed: the tap works
    const { room } = await ada.client.call('createRoom', { name: 'Lobby' })
    await at.ada.page.goto(`/room/${room.id}`)
    await enterRoom(at.ada.page)
    const open = await openTap(grace, room.id)
    const pictures = await open.pictures(20)
    const beeps = await open.shareOfSound()
    await open.leave()
    console.log(
      `    sealed: ${greens(noise)} of ${noise.length} pictures are green, sound for ${share(rustle)}`,
    )
    console.log(
      `    open: ${greens(pictures)} of ${pictures.length} pictures are green, sound for ${share(beeps)}`,
    )
    assert.equal(greens(noise), 0)
    assert.ok(greens(pictures) >= 15)
    assert.ok(beeps > 0 && beeps < rustle)
  })
}

/** Made-up cameras are green, with something lighter that turns. */
function greens(pictures: readonly Picture[]): number {
  return pictures.filter(({ red, green, blue }) => green > Math.max(red, blue) + 60).length
}

const share = (part: number) => `${Math.round(part * 100)} % of the time`

/** How many people inside the key is not for, as the page says. */
async function unsealedOn(page: Page): Promise<number> {
  return await page.locator('.sealed-about').getByText('The key is not for').count()
}

async function tryKeySearch(wires: readonly Wiretap[], check: Check): Promise<void> {
  await check('sealed: no key is in anything that a page has sent or been sent', async () => {
    const keys = new Set(wires.flatMap((wire) => [...wire.keys]))
    const traffic = wires.flatMap((wire) => wire.traffic)
    console.log(`    ${keys.size} keys, ${traffic.length} requests, answers and frames`)
    assert.ok(keys.size >= 5, `${keys.size} keys`)
    // the search finds what is there
    assert.ok(traffic.some((text) => text.includes('"boxes"')))
    for (const key of keys) assert.ok(!traffic.some((text) => isIn(key, text)), 'a key is in it')
    const sample = Buffer.from(`before ${Buffer.from([...keys][0] ?? '', 'hex').toString('base64url')} after`)
    assert.ok(isIn([...keys][0] ?? '', sample))
  })
}

async function tryOldBrowser({ office, grace, roomId, guestPath }: Scene, check: Check): Promise<void> {
  await check('sealed: a browser that cannot encrypt reads so before the room, as a guest too', async () => {
    const old = await newVisitor(office)
    try {
      await old.page.addInitScript(() => {
        Reflect.deleteProperty(globalThis, 'RTCRtpScriptTransform')
        Reflect.deleteProperty(RTCRtpSender.prototype, 'createEncodedStreams')
      })
      await old.page.goto(guestPath)
      await old.page.getByLabel('Your name').fill('Older')
      await old.page.getByRole('button', { name: 'Ask to join' }).click()
      await old.page.getByRole('heading', { name: 'This browser cannot enter sealed rooms' }).waitFor()
      await grace.enter(old)
      await old.page.goto(`/room/${roomId}`)
      const title = old.page.getByRole('heading', { name: 'This browser cannot enter sealed rooms' })
      const enter = old.page.getByRole('button', { name: 'Enter the room' })
      await title.or(enter).first().waitFor()
      if (await enter.isVisible()) await enter.click()
      await title.waitFor()
      await expectAccessible(old.page)
      expectQuiet(old)
    } finally {
      await old.page.screenshot({ path: `${office.pictures}/old.png` }).catch(() => {})
      await old.context.close()
    }
  })
}
