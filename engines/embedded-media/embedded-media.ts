import assert from 'node:assert/strict'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { launchChromium, missingChromium } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { mailedCode } from '../mailbox.ts'
import type { Ends } from '../processes.ts'
import { openFrontEnd, openVisitor, type Visitor } from './pages.ts'

/** Cameras and microphones that need no machine, and no question. */
const DEVICES = [
  '--use-fake-device-for-media-stream=fps=20',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

/** Rooms of `npm start` on a bare machine, entered with the official client. */
export const embeddedMedia: Engine = {
  name: 'embedded-media',
  about: 'the official LiveKit client in Chromium, in rooms of the embedded media server',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    try {
      const frontEnd = await openFrontEnd(ends)
      const url = await openFreshOffice({ ALLOWED_ORIGINS: frontEnd, EMBEDDED_MEDIA_PEOPLE: '3' }, ends)
      const running = await launchChromium(...DEVICES)
      ends.push(() => running.close())
      const visitor = () => openVisitor(running, frontEnd)
      await tryRoom(await openScene(url), { visitor, url }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

/** LiveKit's reasons why a connection ends. */
const PARTICIPANT_REMOVED = 4
const ROOM_DELETED = 5

interface Context {
  visitor(): Promise<Visitor>
  url: string
}

/** Two members of an organization, and a room of it. */
interface Scene {
  ada: { client: AtriumClient; id: string }
  grace: { client: AtriumClient; id: string }
  organizationId: string
  roomId: string
}

async function openScene(url: string): Promise<Scene> {
  const newPerson = async (email: string) => {
    const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
    await client.call('signUp', { email })
    await client.call('finalizeMagicAuth', { email, code: await mailedCode(url, email) })
    return client
  }
  const idOf = async (client: AtriumClient) => (await client.call('getCurrentUser')).id
  const ada = await newPerson('ada@rooms.example')
  const { id: organizationId } = await ada.call('createOrganization', { name: 'Rooms' })
  const { inviteLink } = await ada.call('getInviteLink')
  const grace = await newPerson('grace@rooms.example')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await grace.call('joinOrganization', { inviteToken })
  const { room } = await ada.call('createRoom', { name: 'Kitchen' })
  return {
    ada: { client: ada, id: await idOf(ada) },
    grace: { client: grace, id: await idOf(grace) },
    organizationId,
    roomId: room.id,
  }
}

async function tryRoom(scene: Scene, { visitor, url }: Context, check: Check): Promise<void> {
  const { ada, grace, roomId } = scene
  const tokenOf = (client: AtriumClient) => client.call('authorizeRoom', { roomId, username: 'Somebody' })
  const [adas, graces] = [await visitor(), await visitor()]
  await check('the office says that its rooms are served by the embedded media server', async () => {
    assert.equal((await ada.client.call('describeOffice')).media, 'embedded')
    assert.equal((await tokenOf(ada.client)).url, url.replace('http', 'ws'))
  })
  await check('a token of another key is refused, in words', async () => {
    const { url: address = '', token } = await tokenOf(ada.client)
    const stranger = await visitor()
    await assert.rejects(stranger.enter(address, `${token.slice(0, -4)}AAAA`), /invalid authorization token/)
  })
  await check('two people enter a room and see each other', async () => {
    for (const [page, { client }] of [
      [adas, ada],
      [graces, grace],
    ] as const) {
      const { url: address = '', token } = await tokenOf(client)
      await page.enter(address, token)
    }
    await adas.until('Ada sees Grace', ({ others }) => others.includes(grace.id))
    await graces.until('Grace sees Ada', ({ others }) => others.includes(ada.id))
  })
  await check('pictures and sound go both ways', async () => {
    await Promise.all([adas.publish('camera'), graces.publish('camera')])
    await Promise.all([adas.publish('microphone'), graces.publish('microphone')])
    for (const source of ['camera', 'microphone']) {
      await adas.receives(`${grace.id} ${source}`)
      await graces.receives(`${ada.id} ${source}`)
    }
  })
  await check('the office knows who is inside, with what', async () => {
    const inside = await ada.client.call('listRooms', {})
    assert.ok(JSON.stringify(inside).includes(grace.id))
  })
  await check('a muted microphone shows, and speaks again', async () => {
    await adas.publish('microphone', false)
    const theirs = `${ada.id} microphone`
    await graces.until('Grace sees that Ada is muted', ({ media }) => media[theirs]?.muted === true)
    await adas.publish('microphone')
    await graces.until('Grace sees that Ada speaks', ({ media }) => media[theirs]?.muted === false)
    await graces.receives(theirs)
  })
  await check('what is said in data packets arrives, with who said it', async () => {
    await adas.say('hello')
    await graces.until('Grace is told', ({ said }) => said.includes(`${ada.id}: hello`))
  })
  await check('after its socket was cut, a client comes back to the same session', async () => {
    await adas.cut()
    await adas.until('Ada is back', ({ events }) => events.includes('reconnected'))
    const { events } = await adas.state()
    assert.deepEqual(events, ['signal reconnecting', 'reconnected'])
    await adas.receives(`${grace.id} camera`)
    await graces.receives(`${ada.id} camera`)
  })
  await tryGuest(scene, { visitor, url }, { adas, graces }, check)
  await check(
    'a screen beside a camera: both arrive, and the screen is gone when it is taken back',
    async () => {
      await adas.publish('screen')
      await graces.receives(`${ada.id} screen_share`)
      await graces.receives(`${ada.id} camera`)
      await adas.publish('screen', false)
      await graces.until('the screen is gone', ({ media }) => !(`${ada.id} screen_share` in media))
      await graces.receives(`${ada.id} camera`)
    },
  )
  await check('the process that carries media is killed: clients come back by themselves', async () => {
    const crashed = await fetch(`${url}/sandbox/media/kill-media`, { method: 'POST' })
    assert.equal(crashed.status, 200)
    for (const page of [adas, graces])
      await page.until(
        'back again',
        ({ events }) => events.includes('reconnecting') && events.at(-1) === 'reconnected',
      )
    await adas.until('Ada sees Grace', ({ others }) => others.includes(grace.id))
    // the cameras too are published again, but those that Chromium makes up bring no pictures a second time
    await adas.receives(`${grace.id} microphone`)
    await graces.receives(`${ada.id} microphone`)
  })
  await check('whoever leaves is gone for the others', async () => {
    await graces.leave()
    await adas.until('Grace is gone', ({ others }) => !others.includes(grace.id))
  })
  await check('when a room is deleted, everybody is out, and told so', async () => {
    await ada.client.call('deleteRoom', { roomId })
    await adas.until('Ada is out', ({ connection }) => connection === 'disconnected')
    assert.ok((await adas.state()).events.includes(`disconnected ${ROOM_DELETED}`))
  })
}

/** A guest who waits, is let in, and is put out. */
async function tryGuest(
  { ada, grace, organizationId, roomId }: Scene,
  { visitor, url }: Context,
  { adas }: { adas: Visitor; graces: Visitor },
  check: Check,
): Promise<void> {
  const guests = await visitor()
  const { inviteUrl } = await ada.client.call('inviteGuest', {
    ...{ orgId: organizationId, roomId, durationSeconds: 3_600 },
  })
  const inviteToken = new URL(inviteUrl).searchParams.get('invite_token') ?? ''
  const knock = (guestName: string) => {
    const browser = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
    return browser.call('authorizeGuest', { inviteToken, guestName })
  }
  const decide = (guestIdentity: string, action: 'admit' | 'deny') =>
    ada.client.call('admitGuest', { roomId, guestIdentity, action })
  const guest = await knock('Linus')
  const identity = guest.guestIdentity ?? ''
  await check('a guest who waits is seen by nobody, receives nothing, and may not publish', async () => {
    await guests.enter(guest.url ?? '', guest.rtcToken)
    const { mayPublish, media } = await guests.state()
    assert.deepEqual({ mayPublish, media }, { mayPublish: false, media: {} })
    assert.ok(!(await adas.state()).others.includes(identity))
  })
  await check('a fourth finds the room full, and is told so', async () => {
    const other = await visitor()
    const fourth = await knock('Late')
    await assert.rejects(other.enter(fourth.url ?? '', fourth.rtcToken), /This room is full/)
  })
  await check('once admitted, the guest is seen, sees, and may publish', async () => {
    await decide(identity, 'admit')
    await adas.until('Ada sees the guest', ({ others }) => others.includes(identity))
    await guests.until('the guest may publish', ({ mayPublish }) => mayPublish)
    await guests.receives(`${grace.id} camera`)
    await guests.publish('camera')
    await adas.receives(`${identity} camera`)
  })
  await check('a guest who leaves is gone for the others', async () => {
    await guests.leave()
    await adas.until('the guest is gone', ({ others }) => !others.includes(identity))
  })
  await check('a guest who is turned away is put out, and told so', async () => {
    const turnedAway = await visitor()
    const other = await knock('Bert')
    await turnedAway.enter(other.url ?? '', other.rtcToken)
    await decide(other.guestIdentity ?? '', 'deny')
    await turnedAway.until('the guest is out', ({ connection }) => connection === 'disconnected')
    assert.deepEqual((await turnedAway.state()).events, [`disconnected ${PARTICIPANT_REMOVED}`])
  })
}
