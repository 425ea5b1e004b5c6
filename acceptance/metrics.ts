import assert from 'node:assert/strict'
import { patientFetch, waitFor } from './patience.ts'
import { fresh, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

interface Scene {
  office: Office
  ada: Person
  adaId: string
  orgId: string
  roomId: string
}

/** The media server, the inbox and the page each take a moment; a busy machine takes more of them. */
const SOON_MS = 30_000

/** People come into a room, show themselves and go; the metrics tell it, and a forged event changes nothing. */
export const metrics: Walk = {
  name: 'metrics',
  async run(office, steps) {
    if ((await fetch(`${office.url}/sandbox/media`)).status !== 200) return
    const scene = await makeRoom(office, steps)
    await comeIn(scene, steps)
    await lobby(scene, steps)
    await forgeries(scene, steps)
    await leave(scene, steps)
  },
}

async function makeRoom(office: Office, { step, check }: Steps): Promise<Scene> {
  const scene = await step('somebody founds an organization and makes a room', async () => {
    const ada = await signedUp(office, 'ada')
    const { id: orgId } = await ada.client.call('createOrganization', { name: fresh('Observatory') })
    const { id: adaId } = await ada.client.call('getCurrentUser')
    const { room } = await ada.client.call('createRoom', { name: 'dome' })
    return { office, ada, adaId, orgId, roomId: room.id }
  })
  await check('the page is Prometheus text', async () => {
    const answer = await fetch(`${office.url}/metrics`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.match(await answer.text(), /^# TYPE rtc_webhook_queue_depth gauge$/m)
  })
  return scene
}

async function comeIn(scene: Scene, { step, check }: Steps): Promise<void> {
  await step('she comes in and shows camera and microphone', async () => {
    const { token } = await scene.ada.client.call('authorizeRoom', {
      username: 'Ada',
      roomId: scene.roomId,
    })
    await act(scene.office, 'join', { token })
    for (const source of ['camera', 'microphone'])
      await act(scene.office, 'publish', { room: scene.roomId, identity: scene.adaId, source })
  })
  await check('a room, a person and two tracks are counted', () =>
    shows(scene, {
      rtc_room_active: 1,
      rtc_rooms_started_total: 1,
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 1,
      'rtc_tracks_active{source="camera",type="video"}': 1,
      'rtc_tracks_active{source="microphone",type="audio"}': 1,
    }),
  )
}

async function lobby(scene: Scene, { step, check }: Steps): Promise<void> {
  const { office, ada, orgId, roomId } = scene
  const guestIdentity = await step('a guest comes by a link and waits', async () => {
    const { inviteUrl } = await ada.client.call('inviteGuest', { orgId, roomId, durationSeconds: 600 })
    const inviteToken = new URL(inviteUrl).searchParams.get('invite_token')
    const answer = await patientFetch(`${office.url}/api/v1/rtc/guest/room-auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ inviteToken, guestName: 'Grace' }),
    })
    const { rtcToken } = (await answer.json()) as { rtcToken: string }
    await act(office, 'join', { token: rtcToken })
    return await waitFor('the guest in the list', SOON_MS, async () => {
      const { guests } = await ada.client.call('listGuests', { roomId })
      return guests.find(({ state }) => state === 'waiting')?.guestIdentity
    })
  })
  await check('who waits is not counted', () => shows(scene, { rtc_participants_active: 1 }))
  await check('who is admitted is', async () => {
    await ada.client.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    await shows(scene, { rtc_participants_active: 2, rtc_participant_sessions_total: 2 })
  })
}

async function forgeries(scene: Scene, { check }: Steps): Promise<void> {
  await check('an event that nobody signed is refused, and changes nothing', async () => {
    const body = JSON.stringify({ event: 'room_finished', id: 'EV_forged', room: { name: scene.roomId } })
    for (const authorization of ['', 'Bearer x', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJzYW5kYm94In0.']) {
      const answer = await fetch(`${scene.office.url}/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/webhook+json', authorization },
        body,
      })
      assert.equal(answer.status, 500)
      assert.deepEqual(await answer.json(), { error: 'Failed to receive webhook event' })
    }
    await shows(scene, { rtc_room_active: 1 })
  })
}

async function leave(scene: Scene, { step, check }: Steps): Promise<void> {
  await step('she goes', () => act(scene.office, 'leave', { room: scene.roomId, identity: scene.adaId }))
  await check('her tracks are over, and her stay has a length', () =>
    shows(scene, {
      rtc_participants_active: 1,
      'rtc_tracks_active{source="camera",type="video"}': 0,
      'rtc_tracks_active{source="microphone",type="audio"}': 0,
      rtc_participant_lifetime_seconds_count: 1,
    }),
  )
  const { own } = scene.office
  if (own)
    await check('an office that is killed still knows who is there, and has forgotten no count', async () => {
      await own.kill()
      await own.start()
      await shows(scene, { rtc_participant_sessions_total: 2, rtc_participant_lifetime_seconds_count: 1 })
    })
}

async function act(office: Office, name: string, body: object): Promise<void> {
  const answer = await fetch(`${office.url}/sandbox/media/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, `${name}: ${await answer.text()}`)
}

/** Waits until series of the organization have values. */
async function shows({ office, orgId }: Scene, expected: Record<string, number>): Promise<void> {
  let found: Record<string, string | undefined> = {}
  const soon = waitFor('the metrics', SOON_MS, async () => {
    const text = await (await fetch(`${office.url}/metrics`)).text()
    const lines = text.split('\n').filter((line) => line.includes(`org_id="${orgId}"`))
    const entries = Object.keys(expected).map((key) => {
      const [name = '', labels = ''] = key.replace('}', '').split('{')
      const line = lines.find((one) => one.startsWith(`${name}{`) && one.includes(labels))
      return [key, line?.split(' ').at(-1)] as const
    })
    found = Object.fromEntries(entries)
    return Object.entries(expected).every(([key, value]) => Number(found[key]) === value) || undefined
  })
  await soon.catch(() => assert.deepEqual(found, expected))
}
