import {
  CreateRoomRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  EgressInfo,
  ForwardParticipantRequest,
  ForwardParticipantResponse,
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
import type { Faults } from '../faults.ts'
import type { Permission } from '../messages.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { LiveRooms } from '../rooms/live-rooms.ts'
import { type Participant, participantMessage, type Rooms, roomMessage } from '../rooms/rooms.ts'
import { type Clock, pause } from '../timers.ts'
import type { Dispatches } from '../workers/dispatches.ts'
import type { Grants } from './access-tokens.ts'
import { fieldOf, MediaFault, type Message, numberOf, recordOf, textOf, textsOf } from './api-messages.ts'
import { knownFault, RECIPIENT_DISCONNECTED } from './remote-errors.ts'
import { sendData } from './send-data.ts'
import type { MessageForm } from './twirp-codec.ts'

type MethodsOfLive =
  | 'start'
  | 'update'
  | 'mute'
  | 'kill'
  | 'isAway'
  | 'pid'
  | 'sendData'
  | 'subscribe'
  | 'call'

export interface MethodNeeds {
  clock: Clock
  rooms: Rooms
  recorder: Recorder
  /** Streams that are brought in from outside. */
  ingresses(): Message[]
  faults: Faults
  dispatches: Dispatches
  /** Real connections, where there are any. */
  live?: Pick<LiveRooms, MethodsOfLive> | undefined
}

type Body = Record<string, unknown>
export interface Method {
  request: MessageForm
  reply: MessageForm
  /** Grants of the token, as the media server asks for them. */
  allows(grants: Grants, body: Body): boolean
  answer(needs: MethodNeeds, body: Body): Message | Promise<Message>
}

const mayCreate: Method['allows'] = ({ video }) => video.roomCreate === true
const mayList: Method['allows'] = ({ video }) => video.roomList === true
const mayRecord: Method['allows'] = ({ video }) => video.roomRecord === true
/** Of this one room, and no other. */
export const mayAdminister: Method['allows'] = ({ video }, body) =>
  video.roomAdmin === true && video.room === textOf(body, 'room')

/** Of this room, and of the one where a participant is to come. */
const mayMove: Method['allows'] = (grants, body) =>
  mayAdminister(grants, body) && grants.video.destinationRoom === textOf(body, 'destinationRoom')

const METADATA_BYTES_MAX = 512 * 1024
const NAME_MAX = 256

/** Of the media server's API, by the path that Twirp gives each. */
export const METHODS: Readonly<Record<string, Method>> = {
  'livekit.RoomService/CreateRoom': {
    request: CreateRoomRequest,
    reply: Room,
    allows: mayCreate,
    answer: createRoom,
  },
  'livekit.RoomService/ListRooms': {
    request: ListRoomsRequest,
    reply: ListRoomsResponse,
    allows: mayList,
    answer({ rooms, live }, body) {
      // a caller that asks whether all is well is told
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
    request: DeleteRoomRequest,
    reply: DeleteRoomResponse,
    allows: mayCreate,
    answer({ rooms }, body) {
      rooms.remove(rooms.require(textOf(body, 'room')))
      return {}
    },
  },
  'livekit.RoomService/UpdateRoomMetadata': {
    request: UpdateRoomMetadataRequest,
    reply: Room,
    allows: mayAdminister,
    answer({ rooms }, body) {
      const room = rooms.require(textOf(body, 'room'))
      rooms.describe(room, { metadata: checkedMetadata(body) })
      return roomMessage(room)
    },
  },
  'livekit.RoomService/ListParticipants': {
    request: ListParticipantsRequest,
    reply: ListParticipantsResponse,
    allows: mayAdminister,
    answer({ rooms }, body) {
      const inside = rooms.find(textOf(body, 'room'))?.participants.values() ?? []
      return { participants: [...inside].map(participantMessage) }
    },
  },
  'livekit.RoomService/GetParticipant': {
    request: RoomParticipantIdentity,
    reply: ParticipantInfo,
    allows: mayAdminister,
    answer: (needs, body) => participantMessage(participantOf(needs, body).participant),
  },
  'livekit.RoomService/UpdateParticipant': {
    request: UpdateParticipantRequest,
    reply: ParticipantInfo,
    allows: mayAdminister,
    answer: updateParticipant,
  },
  'livekit.RoomService/RemoveParticipant': {
    request: RoomParticipantIdentity,
    reply: RemoveParticipantResponse,
    allows: mayAdminister,
    answer(needs, body) {
      const { room, participant } = participantOf(needs, body)
      needs.rooms.leave(room, participant, 'PARTICIPANT_REMOVED')
      return {}
    },
  },
  'livekit.RoomService/MutePublishedTrack': {
    request: MuteRoomTrackRequest,
    reply: MuteRoomTrackResponse,
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
  'livekit.RoomService/UpdateSubscriptions': {
    request: UpdateSubscriptionsRequest,
    reply: UpdateSubscriptionsResponse,
    allows: mayAdminister,
    answer(needs, body) {
      const { participant } = participantOf(needs, body)
      const listed = fieldOf(body, 'participantTracks')
      const byPerson = Array.isArray(listed)
        ? listed.flatMap((one) => textsOf(recordOf(one), 'trackSids'))
        : []
      const wanted = [...textsOf(body, 'trackSids'), ...byPerson]
      needs.live?.subscribe(participant, wanted, fieldOf(body, 'subscribe') === true)
      return {}
    },
  },
  'livekit.RoomService/ForwardParticipant': {
    request: ForwardParticipantRequest,
    reply: ForwardParticipantResponse,
    allows: mayMove,
    answer: refuseMove,
  },
  'livekit.RoomService/MoveParticipant': {
    request: MoveParticipantRequest,
    reply: MoveParticipantResponse,
    allows: mayMove,
    answer: refuseMove,
  },
  'livekit.RoomService/PerformRpc': {
    request: PerformRpcRequest,
    reply: PerformRpcResponse,
    allows: mayAdminister,
    answer: performRpc,
  },
  'livekit.RoomService/SendData': {
    request: SendDataRequest,
    reply: SendDataResponse,
    allows: mayAdminister,
    answer: sendData,
  },
  'livekit.Egress/StartRoomCompositeEgress': {
    request: RoomCompositeEgressRequest,
    reply: EgressInfo,
    allows: mayRecord,
    answer: startEgress,
  },
  'livekit.Egress/StopEgress': {
    request: StopEgressRequest,
    reply: EgressInfo,
    allows: mayRecord,
    answer: ({ recorder }, body) => recorder.stop(textOf(body, 'egressId')),
  },
  'livekit.Egress/ListEgress': {
    request: ListEgressRequest,
    reply: ListEgressResponse,
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
    request: ListIngressRequest,
    reply: ListIngressResponse,
    allows: ({ video }) => video.ingressAdmin === true,
    answer: ({ ingresses }) => ({ items: ingresses() }),
  },
}

function createRoom({ rooms, live }: MethodNeeds, body: Body): Message {
  const name = textOf(body, 'name')
  if (!name || name.length > NAME_MAX) throw new MediaFault('invalid_argument', 'room name is not valid')
  // a participant is about to come in
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

function updateParticipant(needs: MethodNeeds, body: Body): Message {
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

async function performRpc(needs: MethodNeeds, body: Body): Promise<Message> {
  const identity = textOf(body, 'destinationIdentity')
  if (identity === '') throw new MediaFault('invalid_argument', 'destination identity is required')
  needs.rooms.require(textOf(body, 'room'))
  const { participant } = participantOf(needs, { ...body, identity })
  if (!needs.live) throw knownFault(RECIPIENT_DISCONNECTED)
  const payload = await needs.live.call(participant, {
    method: textOf(body, 'method'),
    payload: textOf(body, 'payload'),
    responseTimeoutMs: numberOf(body, 'responseTimeoutMs'),
  })
  return { payload }
}

/** From room to room a participant goes in LiveKit's cloud alone: its open server answers this. */
function refuseMove(needs: MethodNeeds, body: Body): never {
  if (textOf(body, 'room') === textOf(body, 'destinationRoom'))
    throw new MediaFault('invalid_argument', 'destination room cannot be the same as source room')
  participantOf(needs, body)
  throw new MediaFault('unknown', 'not implemented')
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

async function startEgress({ rooms, recorder, faults }: MethodNeeds, body: Body): Promise<Message> {
  rooms.require(textOf(body, 'roomName'))
  if (faults.current.recorder === 'absent') {
    await pause(faults.current.absentAfterMs)
    throw new MediaFault('unavailable', 'no response from servers')
  }
  return recorder.start(body)
}

function participantOf({ rooms }: MethodNeeds, body: Body) {
  const room = rooms.find(textOf(body, 'room'))
  const participant: Participant | undefined = room?.participants.get(textOf(body, 'identity'))
  if (!room || !participant) throw new MediaFault('not_found', 'participant does not exist')
  return { room, participant }
}

/** @throws MediaFault where it is too long */
export function checkedMetadata(body: Body): string {
  const metadata = textOf(body, 'metadata')
  if (Buffer.byteLength(metadata) > METADATA_BYTES_MAX)
    throw new MediaFault('invalid_argument', 'metadata exceeds the limits')
  return metadata
}
