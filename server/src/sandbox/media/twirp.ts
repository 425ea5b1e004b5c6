import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Server } from '../../platform/http/server.ts'
import { pause } from '../../platform/timing/pause.ts'
import { type Grants, grantsOf, type TokenKeys } from './access-tokens.ts'
import type { Faults } from './faults.ts'
import type { LiveRooms } from './live-rooms.ts'
import { apiText, fieldOf, MediaFault, type Message, numberOf, recordOf, textOf } from './messages.ts'
import type { Recorder } from './recorder.ts'
import { type Participant, type Permission, participantMessage, type Rooms, roomMessage } from './rooms.ts'
import type { Streams } from './streams.ts'

export interface TwirpNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  recorder: Recorder
  streams: Streams
  faults: Faults
  /** Real connections, where there are any. */
  live?: Pick<LiveRooms, 'start' | 'update' | 'mute' | 'kill' | 'isAway' | 'pid'> | undefined
}

type Body = Record<string, unknown>
interface Method {
  /** Grants of the token, as the media server asks for them. */
  allows(grants: Grants, body: Body): boolean
  answer(needs: TwirpNeeds, body: Body): Message | Promise<Message>
}

const mayCreate: Method['allows'] = ({ video }) => video.roomCreate === true
const mayList: Method['allows'] = ({ video }) => video.roomList === true
const mayRecord: Method['allows'] = ({ video }) => video.roomRecord === true
/** Of this one room, and no other. */
const mayAdminister: Method['allows'] = ({ video }, body) =>
  video.roomAdmin === true && video.room === textOf(body, 'room')

const METADATA_BYTES_MAX = 512 * 1024
const NAME_MAX = 256

const METHODS: Record<string, Method> = {
  'livekit.RoomService/CreateRoom': { allows: mayCreate, answer: createRoom },
  'livekit.RoomService/ListRooms': {
    allows: mayList,
    answer({ rooms, live }, body) {
      // whoever asks whether all is well is told
      if (live?.isAway())
        throw new MediaFault('unavailable', 'the embedded media server is being started again')
      const names = fieldOf(body, 'names')
      const wanted = Array.isArray(names) && names.length > 0 ? new Set(names) : undefined
      return {
        rooms: rooms
          .list()
          .filter(({ name }) => wanted?.has(name) ?? true)
          .map(roomMessage),
      }
    },
  },
  'livekit.RoomService/DeleteRoom': {
    allows: mayCreate,
    answer({ rooms }, body) {
      rooms.remove(rooms.require(textOf(body, 'room')))
      return {}
    },
  },
  'livekit.RoomService/UpdateRoomMetadata': {
    allows: mayAdminister,
    answer({ rooms }, body) {
      const room = rooms.require(textOf(body, 'room'))
      rooms.describe(room, { metadata: checkedMetadata(body) })
      return roomMessage(room)
    },
  },
  'livekit.RoomService/ListParticipants': {
    allows: mayAdminister,
    answer({ rooms }, body) {
      const inside = rooms.find(textOf(body, 'room'))?.participants.values() ?? []
      return { participants: [...inside].map(participantMessage) }
    },
  },
  'livekit.RoomService/GetParticipant': {
    allows: mayAdminister,
    answer: (needs, body) => participantMessage(participantOf(needs, body).participant),
  },
  'livekit.RoomService/UpdateParticipant': { allows: mayAdminister, answer: updateParticipant },
  'livekit.RoomService/RemoveParticipant': {
    allows: mayAdminister,
    answer(needs, body) {
      const { room, participant } = participantOf(needs, body)
      needs.rooms.leave(room, participant, 'PARTICIPANT_REMOVED')
      return {}
    },
  },
  'livekit.RoomService/MutePublishedTrack': {
    allows: mayAdminister,
    answer(needs, body) {
      const { participant } = participantOf(needs, body)
      const track = participant.tracks.get(textOf(body, 'trackSid'))
      if (!track) throw new MediaFault('not_found', 'track is not found')
      track.muted = fieldOf(body, 'muted') === true
      needs.live?.mute(participant, track)
      return { track: { sid: track.sid, name: track.name, muted: track.muted, type: track.type } }
    },
  },
  'livekit.RoomService/SendData': {
    allows: mayAdminister,
    answer({ rooms }, body) {
      rooms.require(textOf(body, 'room'))
      return {}
    },
  },
  'livekit.Egress/StartRoomCompositeEgress': { allows: mayRecord, answer: startEgress },
  'livekit.Egress/StopEgress': {
    allows: mayRecord,
    answer: ({ recorder }, body) => recorder.stop(textOf(body, 'egressId')),
  },
  'livekit.Egress/ListEgress': {
    allows: mayRecord,
    answer: ({ recorder }, body) => ({
      items: recorder.list({
        roomName: textOf(body, 'roomName'),
        egressId: textOf(body, 'egressId'),
        isActive: fieldOf(body, 'active') === true,
      }),
    }),
  },
  'livekit.Ingress/ListIngress': {
    allows: ({ video }) => video.ingressAdmin === true,
    answer: ({ streams }) => ({ items: streams.list() }),
  },
}

/**
 * The media server's API, `POST <prefix>/livekit.<Service>/<Method>`. The official SDK forgets the path of the address
 * it is given, so that the same answers at the root too.
 */
export function serveTwirp(server: Server, needs: TwirpNeeds, prefixes: readonly string[]): void {
  for (const prefix of prefixes)
    server.post<{ Params: { service: string; method: string } }>(
      `${prefix}/:service/:method`,
      { errorHandler: (error, _request, reply) => void sendFault(reply, error) },
      (request, reply) => answerCall(needs, request, reply),
    )
}

async function answerCall(
  needs: TwirpNeeds,
  request: FastifyRequest<{ Params: { service: string; method: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { faults, clock } = needs
  const path = `${request.params.service}/${request.params.method}`
  const method = METHODS[path]
  if (!method) throw new MediaFault('bad_route', `no handler for path "/twirp/${path}"`)
  const { calls, answerDelayMs } = faults.current
  if (calls === 'refused') return cut(reply)
  const { authorization = '' } = request.headers
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''
  const grants = await grantsOf(needs, token, clock.now())
  if (!grants) return reply.status(401).type('text/plain').send('invalid authorization token')
  const body = recordOf(request.body)
  if (!method.allows(grants, body)) throw new MediaFault('unauthenticated', 'permissions denied')
  const answer = await method.answer(needs, body)
  if (answerDelayMs > 0) await pause(answerDelayMs)
  if (calls === 'answer-lost') return cut(reply)
  return sendJson(reply, 200, apiText(answer))
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

function sendFault(reply: FastifyReply, error: unknown): FastifyReply {
  const fault = error instanceof MediaFault ? error : new MediaFault('internal', (error as Error).message)
  return sendJson(reply, fault.status, JSON.stringify({ code: fault.code, msg: fault.message }))
}

/** Bytes, not text: a charset in the type makes the SDK miss the code of a refusal. */
function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.status(status).header('content-type', 'application/json').send(Buffer.from(text))
}

function createRoom({ rooms, live }: TwirpNeeds, body: Body): Message {
  const name = textOf(body, 'name')
  if (!name || name.length > NAME_MAX) throw new MediaFault('invalid_argument', 'room name is not valid')
  // somebody is about to come in
  live?.start()
  const room = rooms.create({
    name,
    metadata: checkedMetadata(body),
    maxParticipants: numberOf(body, 'maxParticipants'),
    emptyTimeoutSeconds: numberOf(body, 'emptyTimeout'),
    departureTimeoutSeconds: numberOf(body, 'departureTimeout'),
  })
  return roomMessage(room)
}

function updateParticipant(needs: TwirpNeeds, body: Body): Message {
  const { participant } = participantOf(needs, body)
  const [metadata, name] = [checkedMetadata(body), textOf(body, 'name')]
  if (metadata) participant.metadata = metadata
  if (name) participant.name = name
  for (const [key, value] of Object.entries(recordOf(fieldOf(body, 'attributes')))) {
    if (value === '') delete participant.attributes[key]
    else if (typeof value === 'string') participant.attributes[key] = value
  }
  const wanted = fieldOf(body, 'permission')
  if (wanted !== undefined) participant.permission = permissionOf(recordOf(wanted))
  participant.version += 1
  needs.live?.update(participant)
  return participantMessage(participant)
}

/** Replaced as a whole: what is not named becomes false. */
function permissionOf(wanted: Body): Permission {
  const given = (field: keyof Permission) => fieldOf(wanted, field) === true
  return {
    canSubscribe: given('canSubscribe'),
    canPublish: given('canPublish'),
    canPublishData: given('canPublishData'),
    canUpdateMetadata: given('canUpdateMetadata'),
    hidden: given('hidden'),
    recorder: given('recorder'),
    agent: given('agent'),
  }
}

async function startEgress({ rooms, recorder, faults }: TwirpNeeds, body: Body): Promise<Message> {
  rooms.require(textOf(body, 'roomName'))
  if (faults.current.recorder === 'absent') {
    await pause(faults.current.absentAfterMs)
    throw new MediaFault('unavailable', 'no response from servers')
  }
  return recorder.start(body)
}

function participantOf({ rooms }: TwirpNeeds, body: Body) {
  const room = rooms.find(textOf(body, 'room'))
  const participant: Participant | undefined = room?.participants.get(textOf(body, 'identity'))
  if (!room || !participant) throw new MediaFault('not_found', 'participant does not exist')
  return { room, participant }
}

function checkedMetadata(body: Body): string {
  const metadata = textOf(body, 'metadata')
  if (Buffer.byteLength(metadata) > METADATA_BYTES_MAX)
    throw new MediaFault('invalid_argument', 'metadata exceeds the limits')
  return metadata
}
