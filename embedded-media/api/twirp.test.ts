import {
  CreateRoomRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  EgressInfo,
  ListEgressRequest,
  ListEgressResponse,
  ListIngressRequest,
  ListIngressResponse,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MoveParticipantRequest,
  MoveParticipantResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  ParticipantInfo,
  PerformRpcRequest,
  PerformRpcResponse,
  RemoveParticipantResponse,
  Room,
  RoomCompositeEgressRequest,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  StopEgressRequest,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
  UpdateSubscriptionsResponse,
} from '@livekit/protocol'
import { AccessToken } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openLiveMedia, SECRET } from '../live-media-fixture.ts'
import { newcomerOf } from './access-tokens.ts'

interface Message {
  toBinary(): Uint8Array
  toJson(): unknown
}
interface Form {
  fromBinary(bytes: Uint8Array): Message
  fromJson(value: never): Message
}
/** A call as an SDK makes it: the same two messages, whatever the encoding. */
type Step = readonly [path: string, reply: Form, request: Message]

let media: Awaited<ReturnType<typeof openLiveMedia>>
let room: string
let made = 0

beforeAll(async () => {
  // a recording stays as it began
  media = await openLiveMedia({ cameras: 1, people: 2, waiting: 1 }, undefined, { paceMs: 600_000 })
})
afterAll(() => media.close())
beforeEach(() => {
  made += 1
  room = `twirp ${made}`
})

const NOBODY = { name: '', metadata: '', kind: 'STANDARD', video: {} }
const ADMIN = { roomCreate: true, roomList: true, roomAdmin: true, roomRecord: true, ingressAdmin: true }

async function bearer(grant: object = ADMIN, secret = SECRET): Promise<string> {
  const token = new AccessToken('devkey', secret)
  token.addGrant({ ...grant, room })
  return `Bearer ${await token.toJwt()}`
}

interface Raw {
  type?: string | undefined
  body?: string | Uint8Array
  authorization?: string | undefined
  headers?: Record<string, string>
}

async function post(path: string, { type, body = '', headers = {}, ...raw }: Raw) {
  const authorization = 'authorization' in raw ? raw.authorization : await bearer()
  const response = await fetch(`${media.baseUrl}/twirp/livekit.${path}`, {
    method: 'POST',
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
    // a text would be given a type
    body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(body),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, type: response.headers.get('content-type'), bytes }
}

const ENCODINGS = {
  'application/json': {
    write: (message: Message) => JSON.stringify(message.toJson()),
    read: (form: Form, bytes: Buffer) => form.fromJson(JSON.parse(String(bytes)) as never),
  },
  'application/protobuf': {
    write: (message: Message) => message.toBinary(),
    read: (form: Form, bytes: Buffer) => form.fromBinary(bytes),
  },
} as const
type Type = keyof typeof ENCODINGS
const TYPES = Object.keys(ENCODINGS) as Type[]

async function call(type: Type, [path, reply, request]: Step): Promise<unknown> {
  const { write, read } = ENCODINGS[type]
  const answer = await post(path, { type, body: write(request) })
  if (answer.status !== 200)
    return [answer.status, answer.type, JSON.parse(String(answer.bytes)) as { code: string }]
  expect(answer.type).toBe(type)
  return read(reply, answer.bytes).toJson()
}

/** What differs from call to call, and from room to room. */
function comparable(answers: unknown[]): unknown {
  const text = JSON.stringify(answers).replaceAll(room, '<room>')
  return JSON.parse(
    text
      .replaceAll(/\b(embedded-)?(RM|PA|TR|EG|IN)_\w+/g, '<$2>')
      .replaceAll(
        /"(creationTime|creationTimeMs|joinedAt|joinedAtMs|updatedAt|startedAt)":"\d+"/g,
        '"$1":"0"',
      ),
  )
}

/** Every method that there is, with what it refuses. */
async function everything(type: Type): Promise<unknown> {
  const ask = (path: string, reply: Form, request: Message) => call(type, [path, reply, request])
  const ada = { room, identity: 'ada' }
  const answers = [
    await ask('RoomService/CreateRoom', Room, new CreateRoomRequest({ name: room, emptyTimeout: 60 })),
    await ask('RoomService/CreateRoom', Room, new CreateRoomRequest()),
    await ask('RoomService/ListRooms', ListRoomsResponse, new ListRoomsRequest({ names: [room, 'none'] })),
    await ask(
      'RoomService/UpdateRoomMetadata',
      Room,
      new UpdateRoomMetadataRequest({ room, metadata: '{"topic":"tea ☕"}' }),
    ),
  ]
  const found = media.media.rooms.require(room)
  const inside = media.media.rooms.join(found, newcomerOf({ ...NOBODY, attributes: {}, identity: 'ada' }))
  media.media.rooms.publish(found, inside, { name: 'camera', source: 'CAMERA', type: 'VIDEO' })
  const listed = await ask(
    'RoomService/ListParticipants',
    ListParticipantsResponse,
    new ListParticipantsRequest({ room }),
  )
  const [person] = (listed as { participants: { tracks: { sid: string }[] }[] }).participants
  const trackSid = person?.tracks[0]?.sid ?? ''
  answers.push(
    listed,
    await ask('RoomService/GetParticipant', ParticipantInfo, new RoomParticipantIdentity(ada)),
    await ask(
      'RoomService/UpdateParticipant',
      ParticipantInfo,
      new UpdateParticipantRequest({
        ...ada,
        name: 'Ada',
        attributes: { hand: 'up', gone: '' },
        permission: { canSubscribe: true, canPublish: true },
      }),
    ),
    await ask(
      'RoomService/MutePublishedTrack',
      MuteRoomTrackResponse,
      new MuteRoomTrackRequest({ ...ada, trackSid, muted: true }),
    ),
    await ask(
      'RoomService/MutePublishedTrack',
      MuteRoomTrackResponse,
      new MuteRoomTrackRequest({ ...ada, trackSid: 'TR_none' }),
    ),
    await ask(
      'RoomService/SendData',
      SendDataResponse,
      new SendDataRequest({ room, data: Buffer.from('hello') }),
    ),
    await ask(
      'RoomService/SendData',
      SendDataResponse,
      new SendDataRequest({ room, data: Buffer.alloc(65_537) }),
    ),
    await ask(
      'RoomService/UpdateSubscriptions',
      UpdateSubscriptionsResponse,
      new UpdateSubscriptionsRequest({ ...ada, participantTracks: [{ trackSids: ['TR_none'] }] }),
    ),
    await ask(
      'RoomService/MoveParticipant',
      MoveParticipantResponse,
      new MoveParticipantRequest({ ...ada, destinationRoom: 'another' }),
    ),
    await ask('RoomService/PerformRpc', PerformRpcResponse, new PerformRpcRequest({ room })),
    await ask('RoomService/RemoveParticipant', RemoveParticipantResponse, new RoomParticipantIdentity(ada)),
    await ask('RoomService/RemoveParticipant', RemoveParticipantResponse, new RoomParticipantIdentity(ada)),
  )
  const started = await ask(
    'Egress/StartRoomCompositeEgress',
    EgressInfo,
    new RoomCompositeEgressRequest({ roomName: room, fileOutputs: [{ filepath: 'a.mp4' }] }),
  )
  const { egressId } = started as { egressId: string }
  answers.push(
    started,
    await ask('Egress/ListEgress', ListEgressResponse, new ListEgressRequest({ egressId })),
    await ask('Egress/StopEgress', EgressInfo, new StopEgressRequest({ egressId: 'EG_none' })),
    await ask('Ingress/ListIngress', ListIngressResponse, new ListIngressRequest()),
    await ask('RoomService/DeleteRoom', DeleteRoomResponse, new DeleteRoomRequest({ room })),
    await ask('RoomService/DeleteRoom', DeleteRoomResponse, new DeleteRoomRequest({ room })),
  )
  return comparable(answers)
}

describe('a call', () => {
  it('is answered the same in JSON and in protobuf, refusals included', async () => {
    const inJson = await everything('application/json')
    made += 1
    room = `twirp ${made}`
    const inProtobuf = await everything('application/protobuf')
    expect(inProtobuf).toEqual(inJson)
    const codes = (inJson as unknown[]).filter(Array.isArray).map(([status, type, { code }]) => {
      expect(type).toBe('application/json')
      return [status, code]
    })
    expect(codes).toEqual([
      [400, 'invalid_argument'],
      [404, 'not_found'],
      [400, 'invalid_argument'],
      [401, 'unauthenticated'],
      [400, 'invalid_argument'],
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
    ])
  })

  it('may say its type with parameters, in any case, and is answered in that type', async () => {
    const body = new ListRoomsRequest({ names: ['none'] }).toBinary()
    const answer = await post('RoomService/ListRooms', { type: 'Application/Protobuf; charset=UTF-8', body })
    expect([answer.status, answer.type, answer.bytes.length]).toEqual([200, 'application/protobuf', 0])
  })
})

describe('a call that is none', () => {
  const refusal = async (path: string, raw: Raw) => {
    const { status, type, bytes } = await post(path, raw)
    expect(type).toBe('application/json')
    const { code, msg } = JSON.parse(String(bytes)) as { code: string; msg: string }
    return { status, code, msg }
  }
  const list = 'RoomService/ListRooms'
  const [json, protobuf] = TYPES

  it.each([
    ['an end before its time', Buffer.from([0x0a, 0x7f, 0x61])],
    ['no field', Buffer.from([0x00])],
    ['groups within each other', Buffer.alloc(200_000, 0x0b)],
    ['JSON', Buffer.from('{"names":["none"]}')],
  ])('is malformed: protobuf with %s', async (_case, body) => {
    const expected = { status: 400, code: 'malformed', msg: 'the protobuf request could not be decoded' }
    expect(await refusal(list, { type: protobuf, body })).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['a part', '{"names":'],
    ['another kind of value', '{"names":7}'],
    ['a list', '[]'],
    ['lists without end', `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('is malformed: JSON of %s', async (_case, body) => {
    const expected = { status: 400, code: 'malformed', msg: 'the json request could not be decoded' }
    expect(await refusal(list, { type: json, body })).toEqual(expected)
  })

  it('is malformed where it is compressed, or longer than any is read', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect(await refusal(list, { type: protobuf, headers })).toMatchObject({ status: 400, code: 'malformed' })
    const body = Buffer.alloc(300_000)
    expect(await refusal(list, { type: protobuf, body })).toMatchObject({ status: 400, code: 'malformed' })
  })

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
    'application/proto',
    'nonsense',
  ])('is on no route: in %s', async (type) => {
    const expected = { status: 404, code: 'bad_route', msg: `unexpected Content-Type: "${type}"` }
    expect(await refusal(list, { type, body: '{}' })).toEqual(expected)
  })

  it('is on no route where it names no type, or a method that there is not', async () => {
    const expected = { status: 404, code: 'bad_route', msg: 'unexpected Content-Type: ""' }
    expect(await refusal(list, { body: '{}' })).toEqual(expected)
    for (const path of ['RoomService/Unknown', 'Nothing/ListRooms', 'RoomService/constructor'])
      expect(await refusal(path, { type: protobuf })).toMatchObject({ status: 404, code: 'bad_route' })
  })

  it('has no rights without a token, or with those of another room', async () => {
    const body = new ListParticipantsRequest({ room: 'another' }).toBinary()
    const expected = { status: 401, code: 'unauthenticated', msg: 'permissions denied' }
    const list = 'RoomService/ListParticipants'
    expect(await refusal(list, { type: protobuf, body })).toEqual(expected)
    expect(await refusal(list, { type: protobuf, body, authorization: undefined })).toEqual(expected)
  })

  it('is refused with a token that is not good, as LiveKit does: before it is a call', async () => {
    for (const authorization of [await bearer(ADMIN, 'another-secret'), 'Bearer x', 'Basic eDp4']) {
      const { status, bytes } = await post(list, { type: protobuf, authorization })
      expect([status, String(bytes)]).toEqual([401, 'invalid authorization token'])
    }
  })
})
