import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { OpenVisitor, Visitor } from './pages.ts'
import { bring, colleague, guestLink, type Scene } from './scene.ts'

/** What a server of media must do for the official client in a browser: one suite, whichever serves. */
export interface Conformance {
  scene: Scene
  visitor: OpenVisitor
  check: Check
  /** Begins to record the room. @returns ends it */
  record(): Promise<() => Promise<unknown>>
  /** The error of a client without a place: rooms of this server hold four. */
  roomIsFull: RegExp
}

export interface Pages {
  adas: Visitor
  graces: Visitor
}

/** LiveKit's reasons why a connection ends. */
const PARTICIPANT_REMOVED = 4
const ROOM_DELETED = 5
/** Layers rest after five seconds at the embedded server, and later at LiveKit. */
const REST_SECONDS_MAX = 20

/** @returns with Ada and Grace still inside, with cameras and microphones */
export async function tryMediaConformance(given: Conformance): Promise<Pages> {
  const { visitor, check, scene } = given
  const pages = { adas: await visitor('first'), graces: await visitor() }
  await tryEntering(given, pages)
  await tryMuting(scene, pages, check)
  await tryWords(scene, pages, check)
  await tryGuests(given, pages)
  await tryEnded(given)
  await tryScreen(scene, pages, check)
  await tryResting(scene, pages, check)
  await tryCut(scene, pages, check)
  return pages
}

async function tryEntering({ scene, visitor, check }: Conformance, { adas, graces }: Pages): Promise<void> {
  const { ada, grace, roomId } = scene
  await check('a token of another key is refused, in words', async () => {
    const { url = '', token } = await ada.client.call('authorizeRoom', { roomId, username: 'Ada' })
    const stranger = await visitor()
    // LiveKit says more, and repeats the token
    const refused = /invalid (authorization )?token/
    await assert.rejects(stranger.enter(url, `${token.slice(0, -4)}AAAA`), refused)
  })
  await check('two people enter a room and see each other, by name', async () => {
    await bring(adas, ada, roomId, 'Ada')
    await bring(graces, grace, roomId, 'Grace')
    await adas.until('Ada sees Grace', ({ about }) => about[grace.id]?.includes('"name":"Grace"') ?? false)
    await graces.until('Grace sees Ada', ({ about }) => about[ada.id]?.includes('"name":"Ada"') ?? false)
  })
  await check('pictures and sound go both ways', async () => {
    await Promise.all([adas.publish('camera'), graces.publish('camera')])
    await Promise.all([adas.publish('microphone'), graces.publish('microphone')])
    for (const source of ['camera', 'microphone']) {
      await adas.receives(`${grace.id} ${source}`)
      await graces.receives(`${ada.id} ${source}`)
    }
    await adas.until('Ada is told that somebody receives her', ({ events }) =>
      events.includes('received camera'),
    )
  })
  // of others, LiveKit says it when it changes: who is well connected from the first stays unknown
  await check('who speaks is shown, and how well one is connected', async () => {
    await adas.until('Grace speaks', ({ spoke }) => spoke.includes(grace.id))
    await adas.until('how well Ada is connected', ({ quality }) =>
      /excellent|good|poor/.test(quality.me ?? ''),
    )
  })
}

async function tryMuting({ ada }: Scene, { adas, graces }: Pages, check: Check): Promise<void> {
  for (const source of ['microphone', 'camera'] as const)
    await check(`a ${source} that is switched off shows, and comes back`, async () => {
      const theirs = `${ada.id} ${source}`
      await adas.publish(source, false)
      await graces.until(`the ${source} is off`, ({ media }) => media[theirs]?.muted === true)
      await adas.publish(source)
      await graces.until(`the ${source} is on`, ({ media }) => media[theirs]?.muted === false)
      await graces.receives(theirs)
    })
}

async function tryWords({ ada }: Scene, { adas, graces }: Pages, check: Check): Promise<void> {
  await check('what is said in data packets arrives, with who said it', async () => {
    await adas.say('hello')
    await graces.until('Grace is told', ({ said }) => said.includes(`${ada.id}: hello`))
  })
  await check('nobody calls themselves by another name than the office gave them', async () => {
    await assert.rejects(adas.rename('The Queen'))
    assert.match((await graces.state()).about[ada.id] ?? '', /"name":"Ada"/)
  })
}

/** A guest who waits, is let in, and is put out. */
async function tryGuests(given: Conformance, pages: Pages): Promise<void> {
  const { scene, visitor, check } = given
  const { adas } = pages
  const knock = await guestLink(scene)
  const { ada, grace, roomId } = scene
  const decide = (guestIdentity: string, action: 'admit' | 'deny') =>
    ada.client.call('admitGuest', { roomId, guestIdentity, action })
  const guests = await visitor()
  const { address, token, identity } = await knock('Linus')
  await check('a guest who waits is seen by nobody, receives nothing, and may not publish', async () => {
    await guests.enter(address, token)
    const { mayPublish, media } = await guests.state()
    assert.deepEqual({ mayPublish, media }, { mayPublish: false, media: {} })
    assert.ok(!(await adas.state()).others.includes(identity))
  })
  await check('once admitted, the guest is seen, sees, and may publish', async () => {
    await decide(identity, 'admit')
    await adas.until('Ada sees the guest', ({ others }) => others.includes(identity))
    await guests.until('the guest may publish', ({ mayPublish }) => mayPublish)
    await guests.receives(`${grace.id} camera`)
    await guests.publish('microphone')
    await adas.receives(`${identity} microphone`)
  })
  await check('a recording is told to everybody inside, guests too, and to whoever comes later', () =>
    tryRecording(given, [pages.adas, pages.graces, guests], knock),
  )
  await check('who waits and finds no place hears that the room is full', () => tryFifth(given, knock))
  await check('a guest who leaves is gone for the others', async () => {
    await guests.leave()
    await adas.until('the guest is gone', ({ others }) => !others.includes(identity))
  })
  await check('a guest who is turned away is put out, and told so', async () => {
    const other = await knock('Bert')
    await guests.enter(other.address, other.token)
    await decide(other.identity, 'deny')
    await guests.until('the guest is out', ({ connection }) => connection === 'disconnected')
    assert.equal((await guests.state()).events.at(-1), `disconnected ${PARTICIPANT_REMOVED}`)
  })
}

/** The media server checks tokens by itself: what an earlier one lets in, the office puts out again. */
async function tryEnded({ scene, visitor, check }: Conformance): Promise<void> {
  const { ada, roomId } = scene
  const joan = await colleague(scene, 'joan@rooms.example')
  const page = await visitor()
  const { url = '', token } = await joan.client.call('authorizeRoom', { roomId, username: 'Joan' })
  const isPutOut = async () => {
    await page.until('the page is out', ({ connection }) => connection === 'disconnected')
    assert.equal((await page.state()).events.at(-1), `disconnected ${PARTICIPANT_REMOVED}`)
  }
  /** A client that is put out before it is quite inside sees a connection that fails. */
  const staysOut = async (kept: string) => {
    await page.enter(url, kept).catch(() => undefined)
    await page.until('the page is out again', ({ connection }) => connection === 'disconnected')
  }
  await check('whoever signs out is put out, and again with the token they kept', async () => {
    await page.enter(url, token)
    await joan.client.call('signOut')
    await isPutOut()
    await staysOut(token)
  })
  await check('and so is whoever is removed from the organization', async () => {
    const linus = await colleague(scene, 'linus@rooms.example')
    const kept = await linus.client.call('authorizeRoom', { roomId, username: 'Linus' })
    await page.enter(url, kept.token)
    await ada.client.call('removeMember', { id: linus.id })
    await isPutOut()
    await staysOut(kept.token)
  })
}

/** While Ada, Grace and a guest are inside. */
async function tryFifth(
  { visitor, roomIsFull }: Conformance,
  knock: Awaited<ReturnType<typeof guestLink>>,
): Promise<void> {
  const [waiting, other] = [await visitor(), await visitor()]
  const fourth = await knock('Early')
  const comesIn = () =>
    waiting.enter(fourth.address, fourth.token).then(
      () => true,
      () => false,
    )
  await eventually('whoever was there before is gone', comesIn)
  const fifth = await knock('Late')
  await assert.rejects(other.enter(fifth.address, fifth.token), roomIsFull)
  await waiting.leave()
}

async function tryRecording(
  { record, visitor }: Conformance,
  inside: readonly Visitor[],
  knock: Awaited<ReturnType<typeof guestLink>>,
): Promise<void> {
  const stop = await record()
  for (const page of inside) await page.until('it is told', ({ recorded }) => recorded)
  const [late, { address, token }] = [await visitor(), await knock('Late')]
  await late.enter(address, token)
  await late.until('it is known', ({ recorded }) => recorded)
  await stop()
  for (const page of [...inside, late]) await page.until('its end is told', ({ recorded }) => !recorded)
  for (const page of inside) {
    const { events } = await page.state()
    assert.deepEqual(
      events.filter((event) => event.endsWith('recorded')),
      ['recorded', 'not recorded'],
    )
  }
  await late.leave()
}

async function tryScreen({ ada }: Scene, { adas, graces }: Pages, check: Check): Promise<void> {
  await check('a screen beside a camera: both arrive, and it is gone when it is taken back', async () => {
    await adas.publish('screen')
    await graces.receives(`${ada.id} screen_share`)
    await graces.receives(`${ada.id} camera`)
    await adas.publish('screen', false)
    await graces.until('the screen is gone', ({ media }) => !(`${ada.id} screen_share` in media))
    await graces.receives(`${ada.id} camera`)
  })
}

/** `adaptiveStream` and `dynacast`, as web offices use them. */
async function tryResting({ ada }: Scene, { adas, graces }: Pages, check: Check): Promise<void> {
  await check('a camera that nobody looks at rests, and is back when they do', async () => {
    await graces.look(false)
    const encoded = async () => Object.values((await adas.state()).sent).reduce((sum, one) => sum + one, 0)
    let [before, still] = [await encoded(), false]
    for (let second = 0; second < REST_SECONDS_MAX && !still; second += 1) {
      await pause(1_000)
      const now = await encoded()
      still = now === before
      before = now
    }
    assert.ok(still, 'the camera goes on, though nobody looks')
    await graces.look(true)
    await graces.receives(`${ada.id} camera`)
  })
}

async function tryCut({ ada, grace }: Scene, { adas, graces }: Pages, check: Check): Promise<void> {
  await check('after its socket was cut, a client comes back to the same session', async () => {
    const { events: before } = await adas.state()
    await adas.cut()
    await adas.until('Ada is back', ({ events }) => events.slice(before.length).includes('reconnected'))
    const { events } = await adas.state()
    assert.deepEqual(events.slice(before.length), ['signal reconnecting', 'reconnected'])
    await adas.receives(`${grace.id} camera`)
    await graces.receives(`${ada.id} camera`)
  })
}

/** The last of it: who leaves, and a room that is no more. */
export async function tryLeaving({ ada, grace, roomId }: Scene, { adas, graces }: Pages, check: Check) {
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
