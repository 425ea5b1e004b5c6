import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { roomOnPlan } from './plan.ts'
import { enterRoom, expectPictures, tileOf } from './room-media.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PERMITTED,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

interface Scene {
  office: WebOffice
  ada: WebPerson
  atAda: Visitor
  atGrace: Visitor
  /** On a phone. */
  atMae: Visitor
  roomId: string
}

/** Three in a room, one of them a moderator: the stage, hands, reactions, people, the lock, and the small call. */
export async function tryRoomTogether(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Stages' })
  const inviteToken = await inviteTokenOf(ada)
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken })
  const mae = await newPerson(office, 'Mae Jemison', { inviteToken })
  const { room } = await ada.client.call('createRoom', { name: 'Workshop' })
  const [atAda, atGrace, atMae] = [
    await newVisitor(office, PERMITTED),
    await newVisitor(office, PERMITTED),
    await newVisitor(office, { viewport: PHONE, ...PERMITTED }),
  ]
  const scene: Scene = { office, ada, atAda, atGrace, atMae, roomId: room.id }
  const all = [atAda, atGrace, atMae]
  try {
    for (const [person, visitor] of [
      [ada, atAda],
      [grace, atGrace],
      [mae, atMae],
    ] as const)
      await person.enter(visitor)
    await tryStage(scene, check)
    await tryHands(scene, check)
    await tryMovingCall(scene, check)
    await trySmallCall(scene, check)
    await tryModerating(scene, check)
    await tryLocking(scene, check)
    for (const visitor of all) expectQuiet(visitor)
  } finally {
    for (const [name, { page, context }] of Object.entries({ ada: atAda, grace: atGrace, mae: atMae })) {
      await page.screenshot({ path: `${office.pictures}/together-${name}.png` }).catch(() => {})
      await context.close()
    }
  }
}

async function tryStage({ office, atAda, atGrace, atMae, roomId }: Scene, check: Check): Promise<void> {
  const { page } = atAda
  await check('together: the stage fills the window, beside a rail', async () => {
    for (const visitor of [atAda, atGrace, atMae]) {
      await visitor.page.goto(`/room/${roomId}`)
      await enterRoom(visitor.page)
    }
    for (const name of ['Grace Hopper', 'Mae Jemison']) await expectPictures(page, name)
    const stage = await page.locator('.in-room').boundingBox()
    assert.deepEqual(stage, { x: 68, y: 0, width: 1_212, height: 800 })
    const [first, last] = await widthsOf(page)
    assert.ok(first === last && (first ?? 0) > 500, `tiles are ${first} wide`)
    await expectAccessible(page)
    await expectAccessible(atMae.page)
    await expectNoSidewaysScroll(atMae.page)
    await page.screenshot({ path: `${office.pictures}/together-stage.png` })
    await atMae.page.screenshot({ path: `${office.pictures}/together-phone.png` })
  })
  await check('together: what opens lies over the right, and the grid makes way', async () => {
    const [before = 0] = await widthsOf(page)
    await page.keyboard.press('p')
    const panel = page.getByRole('region', { name: 'People' })
    assert.equal((await panel.boundingBox())?.width, 344)
    await eventually('smaller tiles', async () => ((await widthsOf(page))[0] ?? 0) < before)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })
  await check('together: a shared screen takes the width but for a strip, and makes no way', async () => {
    await atGrace.page.getByRole('button', { name: 'Share screen' }).click()
    const large = page.getByRole('region', { name: 'Large picture' })
    await large.waitFor()
    await expectPictures(page, 'Grace Hopper’s screen')
    assert.equal((await large.boundingBox())?.width, 1_280 - 68 - 32 - 188)
    await page.getByText('Grace Hopper is sharing').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('region', { name: 'People' }).waitFor()
    assert.equal((await large.boundingBox())?.width, 992)
    await page.keyboard.press('p')
    await expectAccessible(page)
    await expectAccessible(atMae.page)
    await expectNoSidewaysScroll(atMae.page)
    await page.screenshot({ path: `${office.pictures}/together-share.png` })
    await page.setViewportSize({ width: 1_280, height: 360 })
    const strip = page.locator('.stage-strip .stage-tiles')
    await eventually('a bar beside the strip', () =>
      strip.evaluate((ul) => ul.scrollHeight > ul.clientHeight),
    )
    // the bar takes nothing of the faces
    assert.equal((await strip.locator('.tile').first().boundingBox())?.width, 176)
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.getByRole('button', { name: 'Show Mae Jemison large' }).press('Enter')
    await large.getByText('Mae Jemison').waitFor()
    await page.getByRole('button', { name: 'Show Mae Jemison like the others' }).press('Enter')
    await large.getByText('Grace Hopper’s screen').waitFor()
    await atGrace.page.getByRole('button', { name: 'Stop sharing' }).click()
    await large.waitFor({ state: 'detached' })
  })
  await check('together: devices are tried where one is', async () => {
    await page.getByRole('button', { name: 'Devices' }).click()
    await page.getByText('Noise suppression').waitFor()
    const noise = page.getByRole('switch', { name: /Noise suppression/ })
    assert.equal(await noise.isChecked(), true)
    await page.getByRole('button', { name: 'Test the speaker' }).click()
    await page.getByRole('button', { name: 'Test the microphone' }).click()
    await page.getByRole('button', { name: 'Devices' }).click()
  })
}

async function widthsOf(page: Page): Promise<number[]> {
  return await page
    .locator('.stage-grid .tile')
    .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().width)))
}

async function tryHands({ atAda, atGrace, atMae }: Scene, check: Check): Promise<void> {
  await check('together: raised hands are numbered, for who comes back as well', async () => {
    await atMae.page.getByRole('button', { name: 'Raise hand' }).click()
    await tileOf(atAda.page, 'Mae Jemison').getByRole('img', { name: 'Hand raised, number 1' }).waitFor()
    await atGrace.page.keyboard.press('h')
    await tileOf(atAda.page, 'Grace Hopper').getByRole('img', { name: 'Hand raised, number 2' }).waitFor()
    await atAda.page.reload()
    await enterRoom(atAda.page)
    await tileOf(atAda.page, 'Mae Jemison').getByRole('img', { name: 'Hand raised, number 1' }).waitFor()
    await tileOf(atAda.page, 'Grace Hopper').getByRole('img', { name: 'Hand raised, number 2' }).waitFor()
    await atMae.page.getByRole('button', { name: 'Lower hand' }).click()
    await tileOf(atAda.page, 'Grace Hopper').getByRole('img', { name: 'Hand raised, number 1' }).waitFor()
  })
  await check('together: a reaction rises over who has sent it', async () => {
    await atGrace.page.getByRole('button', { name: 'React' }).click()
    await atGrace.page.getByRole('button', { name: 'Applause' }).click()
    const rising = tileOf(atAda.page, 'Grace Hopper').locator('.tile-reaction')
    await rising.waitFor()
    await rising.waitFor({ state: 'detached' })
  })
}

/** A hundred times slower than it is. */
const SLOWLY = 0.01

async function tryMovingCall({ atAda: { page, context } }: Scene, check: Check): Promise<void> {
  const call = page.getByRole('region', { name: 'Your call' })
  await check('together: what is pressed while the call moves to its corner is heard', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const browser = await context.newCDPSession(page)
    await browser.send('Animation.enable')
    await browser.send('Animation.setPlaybackRate', { playbackRate: SLOWLY })
    await page.getByRole('link', { name: 'To the floor' }).click()
    await eventually('the call moves', () => page.evaluate(isMoving))
    const box = await call.getByRole('button', { name: 'Mute' }).boundingBox()
    assert.ok(box)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await call.getByRole('button', { name: 'Unmute' }).waitFor()
    await page.mouse.move(box.x - 90, box.y - 70)
    await page.mouse.down()
    await page.mouse.move(300, 700, { steps: 4 })
    await page.mouse.up()
    await eventually('the call is at the left', async () => ((await call.boundingBox())?.x ?? 640) < 640)
    assert.ok(await page.evaluate(isMoving))
    await browser.send('Animation.setPlaybackRate', { playbackRate: 1 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await call.getByRole('button', { name: 'Unmute' }).click()
    await call.getByRole('link', { name: 'Back to the room' }).click()
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
  })
}

function isMoving(): boolean {
  return document
    .getAnimations()
    .some(
      ({ effect }) =>
        effect instanceof KeyframeEffect && effect.pseudoElement === '::view-transition-group(call)',
    )
}

async function trySmallCall({ office, atAda }: Scene, check: Check): Promise<void> {
  const { page } = atAda
  const call = page.getByRole('region', { name: 'Your call' })
  await check('together: the small call stands in four corners, by mouse and by a menu', async () => {
    await page.getByRole('link', { name: 'To the floor' }).click()
    await call.waitFor()
    const box = await call.boundingBox()
    assert.ok(box)
    assert.equal(box.width, 286)
    await page.mouse.move(box.x + 90, box.y + 50)
    await page.mouse.down()
    await page.mouse.move(900, 90, { steps: 4 })
    await page.mouse.up()
    await eventually('the call is at the top', async () => (await call.boundingBox())?.y === 18)
    await call.getByRole('button', { name: 'More about your call' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Move to the bottom left' }).press('Enter')
    await eventually('the call is at the bottom left', async () => {
      const moved = await call.boundingBox()
      return moved !== null && moved.x < 640 && moved.y > 400
    })
    await call.locator('video').waitFor()
    await page.screenshot({ path: `${office.pictures}/together-small.png` })
    await call.getByRole('link', { name: 'Back to the room' }).click()
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
  })
}

async function tryModerating({ atAda, atGrace, atMae }: Scene, check: Check): Promise<void> {
  const { page } = atAda
  const about = async (name: string, entry: string) => {
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await check('together: a moderator mutes, lowers hands and puts out; others cannot', async () => {
    await page.keyboard.press('p')
    await about('Grace Hopper', 'Mute')
    await atGrace.page.getByRole('button', { name: 'Unmute' }).click()
    await atGrace.page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Lower all hands' }).click()
    await atGrace.page.getByRole('button', { name: 'Raise hand' }).waitFor()
    await atGrace.page.keyboard.press('p')
    await atGrace.page.getByRole('button', { name: 'More about Mae Jemison' }).click()
    await atGrace.page.getByRole('menuitem', { name: 'Show Mae Jemison large' }).waitFor()
    assert.equal(await atGrace.page.getByRole('menuitem').count(), 1)
    await atGrace.page.keyboard.press('Escape')
    await atGrace.page.keyboard.press('p')
    await about('Mae Jemison', 'Remove from the room')
    await atMae.page.getByRole('heading', { name: 'You were removed from the room' }).waitFor()
    await page.keyboard.press('p')
  })
}

async function tryLocking({ office, ada, atAda }: Scene, check: Check): Promise<void> {
  await check('together: a locked room is knocked at, and opened from inside', async () => {
    // whoever has left a moment ago would come back without a knock
    const tim = await newPerson(office, 'Tim Berners-Lee', { inviteToken: await inviteTokenOf(ada) })
    const other = await newVisitor(office, PERMITTED)
    try {
      await tim.enter(other)
      await atAda.page.getByRole('button', { name: 'More', exact: true }).click()
      await atAda.page.getByRole('button', { name: 'Lock the room' }).click()
      await atAda.page.getByRole('img', { name: 'The room is locked: others knock' }).waitFor()
      const { room: pantry } = await ada.client.call('createRoom', { name: 'Pantry' })
      await other.page.goto(`/room/${pantry.id}`)
      await enterRoom(other.page)
      await findRoom(other.page, 'Workshop')
      await other.page.getByRole('heading', { name: 'Workshop is locked' }).waitFor()
      // a closed door does not cost the room that they are in
      const call = other.page.getByRole('region', { name: 'Your call' })
      await call.getByText('You are in Pantry').waitFor()
      await expectAccessible(other.page)
      await other.page.getByRole('button', { name: 'Knock' }).click()
      await atAda.page.getByText('Tim Berners-Lee is knocking').first().waitFor()
      await atAda.page.getByRole('button', { name: 'Let in' }).click()
      await other.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await tileOf(atAda.page, 'Tim Berners-Lee').waitFor()
      await call.waitFor({ state: 'detached' })
      // whoever is on the way in is not asked to come in
      assert.equal(await other.page.locator('.toast').count(), 0)
    } finally {
      await other.context.close()
    }
  })
}

/** From one room to another one, as a person does who is in the first one. */
async function findRoom(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'To the floor' }).click()
  await roomOnPlan(page, name).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('searchbox').fill(name)
  await page.keyboard.press('Enter')
}
