import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createReceiver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  EncodedFileType,
  IngressClient,
  RoomServiceClient,
  type VideoGrant,
  type WebhookEvent,
  WebhookReceiver,
} from 'livekit-server-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../tests/until.ts'
import { systemClock } from '../../platform/clock.ts'
import { createServer, type Server } from '../../platform/http/server.ts'
import { openLog } from '../../platform/log.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { NO_FAULTS } from './faults.ts'
import { type SandboxMedia, sandboxMedia } from './sandbox-media.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-the-sandbox-media-server'
const ROOM = '0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10'

interface Received {
  headers: Record<string, unknown>
  body: string
}

let server: Server
let media: SandboxMedia
let baseUrl: string
let received: Received[]
/** What the receiver answers, in turn; 200 where nothing is left. */
let answers: number[]
let kept: Map<string, Uint8Array>
/** What the store of files waits for before it keeps one. */
let storeOpens: Promise<void>
/** How many files have been brought to it. */
let storing: number
let receiver: ReturnType<typeof createReceiver>

beforeEach(async () => {
  // what is on its way when a test ends belongs to that test
  const receivedHere: Received[] = []
  const answersHere: number[] = []
  received = receivedHere
  answers = answersHere
  kept = new Map()
  storeOpens = Promise.resolve()
  storing = 0
  // a test before may have given the port back, and its server still sends events of its rooms there
  const path = `/webhook/${randomUUID()}`
  receiver = createReceiver(async (request, response) => {
    if (request.url !== path) return response.writeHead(404).end()
    receivedHere.push({ headers: request.headers, body: await text(request) })
    response.writeHead(answersHere.shift() ?? 200).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const storage: Pick<ObjectStoragePort, 'write' | 'writeStream'> = {
    async writeStream() {},
    write: async (key, bytes) => {
      storing += 1
      await storeOpens
      kept.set(key, bytes)
    },
  }
  const log = openLog({ level: 'silent', forPeople: false })
  media = sandboxMedia({
    clock: systemClock,
    log,
    storage,
    apiKey: KEY,
    apiSecret: SECRET,
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`,
    retryAfterMs: [5, 5, 5, 5],
    paceMs: 5,
  })
  server = await createServer({ log, trustProxy: [], origins: [], secure: false })
  media.serve(server)
  baseUrl = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  await media.close()
  await server.close()
  receiver.close()
})

const rooms = (secret = SECRET) => new RoomServiceClient(`${baseUrl}/sandbox/media`, KEY, secret)
const recorder = () => new EgressClient(baseUrl, KEY, SECRET, { requestTimeout: 2 })
const output = (filepath = 'recordings/1/a.mp4') =>
  new EncodedFileOutput({ fileType: EncodedFileType.MP4, filepath, disableManifest: true })

async function events(): Promise<WebhookEvent[]> {
  const verifier = new WebhookReceiver(KEY, SECRET)
  return await Promise.all(
    received.map(({ body, headers }) => verifier.receive(body, String(headers.authorization))),
  )
}
const names = async () => (await events()).map(({ event }) => event)
const untilTold = (event: string) => until(async () => (await names()).includes(event as never))

async function tokenOf(identity: string, grant: VideoGrant = {}, room = ROOM) {
  const token = new AccessToken(KEY, SECRET, { identity, name: `Name of ${identity}`, ttl: 60 })
  token.addGrant({ roomJoin: true, room, ...grant })
  return await token.toJwt()
}

async function act(name: string, body: object) {
  const response = await fetch(`${baseUrl}/sandbox/media/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const join = async (identity: string, grant?: VideoGrant) =>
  await act('join', { token: await tokenOf(identity, grant) })

describe('the API for the official SDK', () => {
  it('makes a room once, lists it, and ends it', async () => {
    const made = await rooms().createRoom({ name: ROOM, metadata: '{"a":1}', emptyTimeout: 60 })
    expect(made).toMatchObject({ name: ROOM, metadata: '{"a":1}', emptyTimeout: 60 })
    expect((await rooms().createRoom({ name: ROOM, metadata: 'other' })).sid).toBe(made.sid)
    expect((await rooms().listRooms()).map(({ name }) => name)).toEqual([ROOM])
    expect(await rooms().listRooms(['other'])).toEqual([])
    await rooms().deleteRoom(ROOM)
    expect(await rooms().listRooms()).toEqual([])
    await expect(rooms().deleteRoom(ROOM)).rejects.toMatchObject({ code: 'not_found', status: 404 })
    expect((await rooms().createRoom({ name: ROOM })).sid).not.toBe(made.sid)
  })

  it('answers in snake_case, with defaults written out and a type without charset', async () => {
    const token = new AccessToken(KEY, SECRET)
    token.addGrant({ roomCreate: true })
    const response = await fetch(`${baseUrl}/sandbox/media/twirp/livekit.RoomService/CreateRoom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token.toJwt()}` },
      body: JSON.stringify({ name: ROOM, empty_timeout: 7 }),
    })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({
      empty_timeout: 7,
      num_participants: 0,
      active_recording: false,
      metadata: '',
      creation_time: expect.stringMatching(/^\d{10}$/),
    })
  })

  it('refuses a key that is not its own, and a grant for something else', async () => {
    await expect(rooms('another-secret').listRooms()).rejects.toMatchObject({ status: 401 })
    const call = async (grant: VideoGrant, path: string, body: object) => {
      const token = new AccessToken(KEY, SECRET)
      token.addGrant(grant)
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await token.toJwt()}` }
      const response = await fetch(`${baseUrl}/twirp/livekit.${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    const refused = [401, 'unauthenticated']
    expect(await call({ roomList: true }, 'RoomService/CreateRoom', { name: ROOM })).toEqual(refused)
    expect(await call({ roomCreate: true }, 'Egress/ListEgress', {})).toEqual(refused)
    const list = 'RoomService/ListParticipants'
    expect(await call({ roomAdmin: true, room: 'another' }, list, { room: ROOM })).toEqual(refused)
    expect((await call({ roomAdmin: true, room: ROOM }, list, { room: ROOM }))[0]).toBe(200)
    expect(await call({ roomCreate: true }, 'RoomService/Unknown', {})).toEqual([404, 'bad_route'])
  })

  it('replaces a permission as a whole, and knows none who is not there', async () => {
    await rooms().createRoom({ name: ROOM })
    const waits = { canPublish: false, canSubscribe: false, canPublishData: false, hidden: true }
    await join('guest:1', waits)
    expect((await rooms().getParticipant(ROOM, 'guest:1')).permission).toMatchObject(waits)
    const admitted = await rooms().updateParticipant(ROOM, 'guest:1', { permission: { canPublish: true } })
    expect(admitted.permission).toMatchObject({ canPublish: true, canSubscribe: false, hidden: false })
    const missing = rooms().updateParticipant(ROOM, 'nobody', { permission: { canPublish: true } })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
    await rooms().removeParticipant(ROOM, 'guest:1')
    expect(await rooms().listParticipants(ROOM)).toEqual([])
    await expect(rooms().removeParticipant(ROOM, 'guest:1')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('people, as a developer moves them', () => {
  it('come in by tokens of the room that is there, and by no others', async () => {
    expect((await join('42')).status).toBe(404)
    await rooms().createRoom({ name: ROOM })
    expect((await join('42')).body).toMatchObject({ identity: '42', permission: { canPublish: true } })
    const dead = `${(await tokenOf('42')).slice(0, -4)}AAAA`
    for (const token of ['', 'x', dead]) expect((await act('join', { token })).status).toBe(401)
    expect((await act('join', { token: await tokenOf('42', { room: '' }) })).status).toBe(401)
  })

  it('are told of in order: a visit with tracks, from the room to its end', async () => {
    await rooms().createRoom({ name: ROOM })
    await join('42')
    expect((await act('publish', { room: ROOM, identity: '42', source: 'camera' })).status).toBe(200)
    await act('publish', { room: ROOM, identity: '42', source: 'microphone' })
    await act('unpublish', { room: ROOM, identity: '42', source: 'camera' })
    await act('leave', { room: ROOM, identity: '42' })
    await rooms().deleteRoom(ROOM)
    await untilTold('room_finished')
    expect(await names()).toEqual([
      'room_started',
      'participant_joined',
      'track_published',
      'track_published',
      'track_unpublished',
      'track_unpublished',
      'participant_left',
      'room_finished',
    ])
    const left = received[6]?.body ?? ''
    expect(left).toContain('"disconnectReason":"CLIENT_INITIATED"')
    // the form of the real one: spaces after commas, defaults left out, numbers of 64 bits as text
    expect(received[3]?.body).toMatch(/^\{"event":"track_published", "room":\{"sid":"RM_/)
    expect(received[3]?.body).not.toContain('"type"')
    expect(received[2]?.body).toContain('"type":"VIDEO"')
    expect(received[0]?.body).not.toContain('numParticipants')
    expect(left).toMatch(/"createdAt":"\d{10}"\}$/)
  })

  it('who wait may not publish, and put themselves out by coming twice', async () => {
    await rooms().createRoom({ name: ROOM })
    const first = await join('guest:1', { canPublish: false })
    expect((await act('publish', { room: ROOM, identity: 'guest:1' })).status).toBe(403)
    const second = await join('guest:1', { canPublish: false })
    expect(second.body.sid).not.toBe(first.body.sid)
    await until(async () => received.length === 4)
    expect((await events()).map(({ event, participant }) => [event, participant?.sid]).slice(1)).toEqual([
      ['participant_joined', first.body.sid],
      ['participant_left', first.body.sid],
      ['participant_joined', second.body.sid],
    ])
    expect(received[2]?.body).toContain('"disconnectReason":"DUPLICATE_IDENTITY"')
  })

  it('leave a room that ends by itself', async () => {
    await rooms().createRoom({ name: ROOM, emptyTimeout: 1 })
    await untilTold('room_finished')
    expect(await rooms().listRooms()).toEqual([])
  })
})

describe('recordings', () => {
  it('start, run, and leave a film where they were told to', async () => {
    await expect(recorder().startRoomCompositeEgress(ROOM, output())).rejects.toMatchObject({
      code: 'not_found',
    })
    await rooms().createRoom({ name: ROOM })
    const { egressId, status } = await recorder().startRoomCompositeEgress(ROOM, output())
    expect(status).toBe(EgressStatus.EGRESS_STARTING)
    await untilTold('egress_updated')
    expect((await rooms().listRooms())[0]?.activeRecording).toBe(true)
    const [watcher] = await rooms().listParticipants(ROOM)
    expect(watcher).toMatchObject({ identity: egressId, permission: { recorder: true, hidden: true } })
    expect((await recorder().stopEgress(egressId)).status).toBe(EgressStatus.EGRESS_ENDING)
    await untilTold('egress_ended')
    const ended = (await events()).find(({ event }) => event === 'egress_ended')?.egressInfo
    const film = kept.get('recordings/1/a.mp4') as Uint8Array
    expect(ended).toMatchObject({ egressId, status: EgressStatus.EGRESS_COMPLETE })
    expect(Number(ended?.fileResults[0]?.size)).toBe(film.byteLength)
    expect(Buffer.from(film).toString('latin1', 4, 12)).toBe('ftypisom')
    await expect(recorder().stopEgress(egressId)).rejects.toMatchObject({ code: 'failed_precondition' })
    await expect(recorder().stopEgress('EG_none')).rejects.toMatchObject({ code: 'not_found' })
    expect(await recorder().listEgress({ active: true })).toEqual([])
    expect(await recorder().listEgress({ egressId })).toHaveLength(1)
  })

  it('end with their room', async () => {
    await rooms().createRoom({ name: ROOM })
    await recorder().startRoomCompositeEgress(ROOM, output())
    await untilTold('egress_updated')
    await rooms().deleteRoom(ROOM)
    await untilTold('egress_ended')
    expect(kept.size).toBe(1)
  })

  it('are kept before the stand-in is closed', async () => {
    const store = Promise.withResolvers<void>()
    storeOpens = store.promise
    await rooms().createRoom({ name: ROOM })
    await recorder().startRoomCompositeEgress(ROOM, output())
    await untilTold('egress_updated')
    await rooms().deleteRoom(ROOM)
    await until(() => storing === 1)
    const closed = media.close().then(() => kept.size)
    setImmediate(() => store.resolve())
    expect(await closed).toBe(1)
  })

  it.each([
    ['limit-reached', EgressStatus.EGRESS_LIMIT_REACHED, 1],
    ['failed', EgressStatus.EGRESS_FAILED, 0],
    ['no-file', EgressStatus.EGRESS_COMPLETE, 0],
    ['aborted', EgressStatus.EGRESS_ABORTED, 0],
  ] as const)('go wrong on wish: %s', async (recordings, status, files) => {
    await act('faults', { recordings })
    await rooms().createRoom({ name: ROOM })
    const { egressId } = await recorder().startRoomCompositeEgress(ROOM, output())
    await untilTold(recordings === 'aborted' ? 'egress_ended' : 'egress_updated')
    if (recordings !== 'aborted') await recorder().stopEgress(egressId)
    await untilTold('egress_ended')
    expect((await recorder().listEgress({ egressId }))[0]?.status).toBe(status)
    expect(kept.size).toBe(files)
  })

  it('cannot start without a recorder, which takes its time to say so', async () => {
    await act('faults', { recorder: 'absent', absentAfterMs: 20 })
    await rooms().createRoom({ name: ROOM })
    await expect(recorder().startRoomCompositeEgress(ROOM, output())).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
    })
  })

  it('may begin although the answer is lost', async () => {
    await rooms().createRoom({ name: ROOM })
    await act('faults', { calls: 'answer-lost' })
    await expect(recorder().startRoomCompositeEgress(ROOM, output())).rejects.toThrow()
    await act('faults', { calls: 'answered' })
    expect(await recorder().listEgress({ roomName: ROOM })).toHaveLength(1)
  })
})

describe('webhooks', () => {
  it('are signed without Bearer, and tried five times with the same bytes', async () => {
    answers.push(500, 503, 429, 500)
    await rooms().createRoom({ name: ROOM })
    await until(async () => received.length === 5)
    expect(new Set(received.map(({ body, headers }) => `${body}${headers.authorization}`)).size).toBe(1)
    expect(received[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^ey/),
      'content-type': 'application/webhook+json',
    })
  })

  it.each([400, 404, 501, 301])('are not tried again after %s', async (status) => {
    answers.push(status)
    await rooms().createRoom({ name: ROOM })
    await rooms().deleteRoom(ROOM)
    await until(async () => received.length === 2)
    expect(await names()).toEqual(['room_started', 'room_finished'])
  })

  it('are doubled, dropped and dated ahead on wish', async () => {
    await act('faults', { duplicateWebhooks: true })
    await rooms().createRoom({ name: ROOM })
    await until(async () => received.length === 2)
    expect(new Set((await events()).map(({ id }) => id)).size).toBe(1)
    await act('faults', { duplicateWebhooks: false, dropWebhooks: true })
    await rooms().deleteRoom(ROOM)
    await act('faults', { ...NO_FAULTS, clockAheadSeconds: 40 })
    await rooms().createRoom({ name: ROOM })
    await until(async () => received.length === 3)
    const last = received[2] as Received
    const verifier = new WebhookReceiver(KEY, SECRET)
    await expect(verifier.receive(last.body, String(last.headers.authorization))).rejects.toThrow()
    expect((await act('faults', { recorder: 'tired' })).status).toBe(400)
  })

  it('tell nothing after a crash: everything is gone', async () => {
    await rooms().createRoom({ name: ROOM })
    await join('42')
    await act('crash', {})
    expect(await rooms().listRooms()).toEqual([])
    await until(async () => received.length === 2)
    expect(await names()).toEqual(['room_started', 'participant_joined'])
  })

  it('tell of streams that are brought in', async () => {
    const { body } = await act('ingress-start', { room: ROOM })
    await act('ingress-end', { room: ROOM, ingressId: body.ingressId, seconds: 5 })
    await until(async () => received.length === 2)
    const [started, ended] = await events()
    expect([started?.event, ended?.event]).toEqual(['ingress_started', 'ingress_ended'])
    const { startedAt = 0n, endedAt = 0n } = ended?.ingressInfo?.state ?? {}
    expect(endedAt - startedAt).toBe(5_000_000_000n)
  })

  it('tell of the end of a stream when it began, and list it in between', async () => {
    const ingress = new IngressClient(baseUrl, KEY, SECRET)
    const { body } = await act('ingress-start', { room: ROOM, inputType: 'WHIP_INPUT' })
    const [listed] = await ingress.listIngress()
    expect(listed).toMatchObject({ ingressId: body.ingressId, roomName: ROOM })
    await act('ingress-end', { room: ROOM, ingressId: body.ingressId })
    await until(async () => received.length === 2)
    const times = (await events()).map(({ ingressInfo }) => ingressInfo?.state?.startedAt)
    expect(times).toEqual([listed?.state?.startedAt, listed?.state?.startedAt])
    expect(await ingress.listIngress()).toEqual([])
  })
})

describe('the page', () => {
  it('shows who is where, escaped, and takes its own forms', async () => {
    await rooms().createRoom({ name: ROOM })
    const form = (name: string, fields: Record<string, string>) =>
      fetch(`${baseUrl}/sandbox/media/${name}`, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    const answer = await form('join', { token: await tokenOf('<b>&"') })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sandbox/media'])
    await form('publish', { room: ROOM, identity: '<b>&"', source: 'camera' })
    const page = await (await fetch(`${baseUrl}/sandbox/media`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('Name of &lt;b&gt;&amp;&quot;')
    expect(page).not.toContain('<b>&"')
    expect(page).toContain('Stop camera')
    const view = await (await fetch(`${baseUrl}/sandbox/media`)).json()
    expect(view).toMatchObject({
      rooms: [{ name: ROOM, participants: [{ tracks: [{ source: 'camera' }] }] }],
      faults: NO_FAULTS,
    })
  })
})
