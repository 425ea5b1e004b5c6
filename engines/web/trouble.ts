import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { tryBackInRoom } from './back-in-room.ts'
import { textOf } from './expected-text.ts'
import { type Fragile, openFragile } from './fragile.ts'
import { tryOffline } from './offline.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { enterRoom } from './room-media.ts'
import { type Scene, userIdOf, write } from './scene.ts'
import { asVisitor, newVisitor, type Visitor, type WebOffice } from './visitor.ts'

/** Connecting again takes its time, and a busy machine more. */
const PATIENCE = { withinMs: 90_000, everyMs: 1_000 }

/** Screens that stand open while the network is away, with what shows that they are read. */
const OPEN: Readonly<Record<string, (scene: Scene) => { path: string; shows: string }>> = {
  floor: () => ({ path: '/', shows: 'Kitchen' }),
  'before a room': ({ roomId }) => ({ path: `/room/${roomId}`, shows: 'Nobody is inside yet.' }),
  chat: () => ({ path: '/chat', shows: 'Lunch?' }),
  conversation: ({ conversationId }) => ({ path: `/chat/${conversationId}`, shows: 'Lunch?' }),
  calendar: () => ({ path: '/agenda', shows: 'Connect Google' }),
  members: () => ({ path: '/people', shows: 'new@screens.example' }),
  settings: () => ({ path: '/settings', shows: 'This session' }),
  administration: () => ({ path: '/administration?part=trail', shows: 'Invitation sent' }),
}

/** What is shown is true again after every trouble: the same as whoever loads the page afresh sees. */
export async function tryTrouble(office: WebOffice, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const fragile = await openFragile(office, ends)
    await tryGone(fragile, check)
    await tryEnded(fragile, check)
    await tryCookieGone(fragile, check)
    // one that has not been started anew: its clients know where it is
    const another = await openFragile(office, ends)
    await tryOffline(another, check)
    await tryBackInRoom(another, check)
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

async function tryGone({ office, gate, scene, restart }: Fragile, check: Check): Promise<void> {
  const visitor = await newVisitor(office)
  const pages = new Map<string, Page>()
  try {
    await scene.ada.enter(visitor)
    await check('trouble: what is changed while the network is away is shown when it is back', async () => {
      for (const [name, screen] of Object.entries(OPEN)) {
        const page = await visitor.context.newPage()
        pages.set(name, page)
        await page.goto(screen(scene).path)
        // the filter of the trail has the same words in its choices
        await page.getByText(screen(scene).shows).and(page.locator(':visible')).first().waitFor()
      }
      const composer = pages.get('conversation')?.getByRole('textbox', { name: /^Write to/ })
      await composer?.fill('Half a thought')
      gate.cut()
      // the first connection of the page that was opened last may not stand yet
      for (const page of pages.values())
        await page.getByText(/^Connection lost\. What you see|^Connecting …$/).waitFor()
      await changeEverything(scene)
      gate.mend()
      assert.equal(await composer?.inputValue(), 'Half a thought')
      await composer?.fill('')
    })
    for (const name of Object.keys(OPEN))
      await check(`trouble: ${name} is as a fresh load shows it`, () =>
        expectFresh(visitor, pages.get(name), OPEN[name]?.(scene).path ?? '/'),
      )
    await check('trouble: an office that is started anew is found again', async () => {
      await restart()
      for (const name of ['floor', 'conversation', 'members'])
        await expectFresh(visitor, pages.get(name), OPEN[name]?.(scene).path ?? '/')
    })
  } finally {
    gate.mend()
    await visitor.context.close()
  }
}

/** By other people and programs, and by the same person elsewhere. */
async function changeEverything(scene: Scene): Promise<void> {
  const { ada, grace, roomId } = scene
  await ada.client.call('updateRoom', { roomId, name: 'Canteen' })
  await ada.client.call('createRoom', { name: 'Workshop' })
  await grace.client.call('updateProfile', { displayName: 'Admiral Hopper' })
  await ada.client.call('updateMember', { id: await userIdOf(grace), role: 'moderator' })
  await scene.newcomer.client.call('joinOrganization', { inviteToken: scene.inviteToken })
  await ada.client.call('sendInvitation', { email: 'second@screens.example' })
  await ada.client.call('updateProfile', { displayName: 'Countess Lovelace' })
  await ada.client.call('setPresenceStatus', { status: 'busy', note: 'In the dark' })
  const [membership] = (await ada.client.call('getCurrentUser')).organizationMemberships
  const organizationId = membership?.organization.id ?? ''
  await ada.client.call('updateOrganization', { organizationId, name: 'Difference Screens' })
  await ada.client.call('createServiceToken', { name: 'Door display', operations: ['listMembers'] })
  await ada.client.call('createWebhook', { url: 'http://127.0.0.1:9/events', events: ['room.created'] })
  await ada.signInAgain()
  await write(grace, await userIdOf(ada), 'Still there?')
}

/** The page that stood open says what the same address says to whoever opens it now. */
async function expectFresh({ context }: Visitor, shown: Page | undefined, path: string): Promise<void> {
  assert.ok(shown)
  const fresh = await context.newPage()
  let [was, is] = ['', '']
  const isSame = async () => {
    await fresh.goto(path)
    await fresh.getByRole('heading', { level: 1 }).first().waitFor()
    // what is read late comes within a moment, on both
    return await eventually(
      'the same text',
      async () => {
        was = await textOf(shown)
        is = await textOf(fresh)
        return was === is
      },
      { withinMs: 4_000, everyMs: 250 },
    ).catch(() => false)
  }
  try {
    await eventually(`${path} as a fresh load shows it`, isSame, PATIENCE).catch(() => {})
    assert.equal(was, is)
  } finally {
    await fresh.close()
  }
}

async function tryEnded({ office }: Fragile, check: Check): Promise<void> {
  await check('trouble: whoever works elsewhere in one tab does so in the others', async () => {
    const alan = await newPerson(office, 'Alan Turing', { found: 'Bletchley' })
    const { room } = await alan.client.call('createRoom', { name: 'Kitchenette' })
    const other = await newPerson(office, 'Joan Clarke', { found: 'Hut Eight' })
    await alan.client.call('joinOrganization', { inviteToken: await inviteTokenOf(other) })
    await asVisitor(office, 'trouble-organizations', async (visitor) => {
      await alan.enter(visitor)
      const { page } = visitor
      await page.goto('/people')
      await page.getByRole('banner').getByText('Bletchley').waitFor()
      const second = await visitor.context.newPage()
      // a place of the organization that they leave
      await second.goto(`/room/${room.id}`)
      await second.getByRole('heading', { name: 'Kitchenette' }).waitFor()
      await second.getByRole('button', { name: /Change your status/ }).click()
      await second.getByRole('button', { name: 'Switch to Hut Eight' }).click()
      await second.waitForURL((url) => url.pathname === '/')
      await page.getByRole('banner').getByText('Hut Eight').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Joan Clarke' }).waitFor()
      await expectFresh(visitor, page, '/people')
    })
  })
  await check(
    'trouble: whoever is removed while in a room is out of it, with the camera closed',
    async () => {
      const host = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Trouble' })
      const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(host) })
      const { room } = await host.client.call('createRoom', { name: 'Cellar' })
      await asVisitor(office, 'trouble-removed', async (visitor) => {
        const { page } = visitor
        await watchTracks(page)
        await grace.enter(visitor)
        await page.goto(`/room/${room.id}`)
        await enterRoom(page)
        await eventually('an open camera', async () => (await openTracks(page)) > 0)
        await host.client.call('removeMember', { id: await userIdOf(grace) })
        await page.getByText('You are no longer in the office of Analytical Trouble').waitFor()
        await eventually('everything closed', async () => (await openTracks(page)) === 0)
      })
    },
  )
  await check('trouble: whoever is signed out elsewhere while in a room is told so', async () => {
    const grace = await newPerson(office, 'Grace Hopper', { found: 'Analytical Sessions' })
    const { room } = await grace.client.call('createRoom', { name: 'Attic' })
    await asVisitor(office, 'trouble-signed-out', async (visitor) => {
      const { page } = visitor
      await watchTracks(page)
      await grace.enter(visitor)
      await page.goto(`/room/${room.id}`)
      await enterRoom(page)
      await eventually('an open camera', async () => (await openTracks(page)) > 0)
      const elsewhere = await grace.signInAgain()
      await elsewhere.client.call('endSessions', { others: true })
      await page.getByText('You have been signed out: your session ended').waitFor()
      await eventually('everything closed', async () => (await openTracks(page)) === 0)
    })
  })
}

async function tryCookieGone({ office }: Fragile, check: Check): Promise<void> {
  await check('trouble: a session that has lost its cookie leads to the way in, and back', async () => {
    const grace = await newPerson(office, 'Grace Hopper', { found: 'Analytical Cookies' })
    await asVisitor(office, 'trouble-cookie', async (visitor) => {
      const { page, context } = visitor
      await grace.enter(visitor)
      await page.goto('/people')
      await page.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).waitFor()
      await context.clearCookies()
      // a call of the page itself may come before the one of the next screen
      const pressed = page
        .getByRole('link', { name: 'Settings' })
        .click()
        .catch(() => {})
      await Promise.race([pressed, page.waitForURL('**/sign-in?*')])
      await page.getByText('You have been signed out: your session ended').waitFor()
      assert.match(new URL(page.url()).searchParams.get('next') ?? '', /^\/(people|settings)$/)
    })
  })
}

interface Watched {
  tracks: MediaStreamTrack[]
}

/** Keeps what the page opens of cameras and microphones. */
async function watchTracks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = []
    Object.assign(globalThis, { tracks })
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      tracks.push(...stream.getTracks())
      return stream
    }
  })
}

async function openTracks(page: Page): Promise<number> {
  return await page.evaluate(
    () => (globalThis as unknown as Watched).tracks.filter(({ readyState }) => readyState === 'live').length,
  )
}
