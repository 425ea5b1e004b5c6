import assert from 'node:assert/strict'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { expectRefusal, expectStatus } from './expect.ts'
import { patientFetch, waitFor } from './patience.ts'
import { fresh, listening, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

interface Scene {
  office: Office
  ada: Person
  orgId: string
  roomId: string
}

const SOON_MS = 10_000

/** A room is made and entered; a guest comes by a link, waits, is let in; another is turned away. */
export const rooms: Walk = {
  name: 'rooms',
  async run(office, steps) {
    const scene = await makeRoom(office, steps)
    await enterRoom(scene, steps)
    const link = await inviteGuests(scene, steps)
    await letIn(scene, steps, link)
    await turnAway(scene, steps, link)
    await wrongLinks(scene, steps, link)
  },
}

async function makeRoom(office: Office, { step, check }: Steps): Promise<Scene> {
  const scene = await step('somebody founds an organization and makes a room', async () => {
    const ada = await signedUp(office, 'ada')
    const { id: orgId } = await ada.client.call('createOrganization', { name: fresh('Observatory') })
    const metadata = { displayName: 'The Dome', capacity: 8 }
    const { room } = await ada.client.call('createRoom', { name: 'dome', metadata })
    const { id, position, ...described } = room
    assert.deepEqual(described, {
      ...{ name: 'dome', metadata, kind: 'meeting', seats: 8 },
      ...{ locked: false, sealed: false, temporary: false, ownerId: null },
    })
    assert.ok(position >= 0, 'a room has a place in the order of the office')
    return { office, ada, orgId, roomId: id }
  })
  await check('a name is there once, and a nameless room is none', async () => {
    expectRefusal(await scene.ada.client.request('createRoom', { name: 'dome' }), 409)
    expectRefusal(await scene.ada.client.request('createRoom', { name: '' }), 400)
  })
  return scene
}

async function enterRoom({ office, ada, roomId }: Scene, { check }: Steps): Promise<void> {
  await check('a token opens that room, for ten minutes, under the own id', async () => {
    const { id } = await ada.client.call('getCurrentUser')
    const { token } = await ada.client.call('authorizeRoom', { username: 'Ada', roomId })
    const { sub, exp, nbf, video } = claimsOf(token)
    assert.deepEqual([sub, Number(exp) - Number(nbf)], [id, 600])
    assert.equal(video.room, roomId)
    for (const right of ['roomAdmin', 'roomCreate', 'roomList', 'roomRecord'])
      assert.equal(video[right], undefined)
  })
  await check('the room of another organization is not there', async () => {
    const eve = await signedUp(office, 'eve')
    await eve.client.call('createOrganization', { name: fresh('Elsewhere') })
    expectRefusal(await eve.client.request('authorizeRoom', { username: 'Eve', roomId }), 404)
  })
}

async function inviteGuests({ ada, orgId, roomId }: Scene, { step, check }: Steps): Promise<string> {
  await check('a link lives between a minute and thirty days', async () => {
    for (const durationSeconds of [59, 2_592_001])
      expectRefusal(await ada.client.request('inviteGuest', { orgId, roomId, durationSeconds }), 400)
  })
  return await step('a link for guests is made', async () => {
    const answer = await ada.client.request('inviteGuest', { orgId, roomId, durationSeconds: 3_600 })
    expectStatus(answer, 201)
    return new URL((answer.body as { inviteUrl: string }).inviteUrl).searchParams.get(
      'invite_token',
    ) as string
  })
}

async function letIn(scene: Scene, { check }: Steps, inviteToken: string): Promise<void> {
  const { ada, roomId } = scene
  const guest = browserAt(scene)
  let guestIdentity = ''
  await check('a guest waits without any rights, and the admin hears of it at once', async () => {
    const { device, events } = await listening(ada)
    // that the room was made may be told after they have connected
    const told = () => events.filter(({ type }) => type.startsWith('guest.'))
    try {
      const { rtcToken } = await guest.call('authorizeGuest', { inviteToken, guestName: 'Bob' })
      const { sub, video } = claimsOf(rtcToken)
      guestIdentity = String(sub)
      assert.match(guestIdentity, /^guest:[0-9a-f-]{36}$/)
      assert.deepEqual([video.canPublish, video.canSubscribe, video.canPublishData], [false, false, false])
      const { guests } = await ada.client.call('listGuests', { roomId })
      const since = guests[0]?.since
      assert.deepEqual(guests, [{ guestIdentity, guestName: 'Bob', state: 'waiting', since }])
      await waitFor('guest.waiting', SOON_MS, async () => told()[0])
      const data = { roomId, guestIdentity, guestName: 'Bob', since }
      assert.deepEqual(
        told().map(({ type, data }) => ({ type, data })),
        [{ type: 'guest.waiting', data }],
      )
    } finally {
      device.close()
    }
  })
  await check('a reload keeps the place', async () => {
    const { rtcToken } = await guest.call('authorizeGuest', { inviteToken, guestName: 'Bob' })
    assert.equal(claimsOf(rtcToken).sub, guestIdentity)
  })
  await check('the guest is let in: once, the opposite is too late', async () => {
    const decide = (action: 'admit' | 'deny') =>
      ada.client.request('admitGuest', { roomId, guestIdentity, action })
    expectStatus(await decide('admit'), 200)
    expectStatus(await decide('admit'), 200)
    expectRefusal(await decide('deny'), 409)
    const { rtcToken } = await guest.call('authorizeGuest', { inviteToken, guestName: 'Bob' })
    assert.equal(claimsOf(rtcToken).video.canPublish, true)
  })
}

async function turnAway(scene: Scene, { check }: Steps, inviteToken: string): Promise<void> {
  const { ada, roomId } = scene
  const guest = browserAt(scene)
  await check('another is turned away, and not heard again for a while', async () => {
    const { rtcToken } = await guest.call('authorizeGuest', { inviteToken, guestName: 'Mallory' })
    const guestIdentity = String(claimsOf(rtcToken).sub)
    await ada.client.call('admitGuest', { roomId, guestIdentity, action: 'deny' })
    expectRefusal(await guest.request('authorizeGuest', { inviteToken, guestName: 'Mallory' }), 403)
  })
}

async function wrongLinks(scene: Scene, { check }: Steps, inviteToken: string): Promise<void> {
  await check('a link that was changed is none', async () => {
    for (const changed of ['nonsense', `${inviteToken.slice(0, -3)}AAA`, inviteToken.slice(1)])
      expectRefusal(
        await browserAt(scene).request('authorizeGuest', { inviteToken: changed, guestName: 'Bob' }),
        400,
      )
  })
}

function browserAt({ office }: Scene): AtriumClient {
  return createAtriumClient({ baseUrl: office.url, cookies: createCookieJar(), fetch: patientFetch })
}

function claimsOf(token: string) {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    sub: string
    exp: number
    nbf: number
    video: Record<string, unknown>
  }
}
