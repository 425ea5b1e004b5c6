import type { Clock } from '../../platform/clock.ts'
import { lastedSeconds } from '../../platform/timing/lasted.ts'
import type {
  MediaRecording,
  MediaTrack,
  ParticipantKind,
  RecordedFile,
  RecordingProgress,
  RecordingRequest,
  TrackSource,
  TrackType,
} from '../../ports/media.ts'
import type {
  EventIngress,
  EventParticipant,
  EventRoom,
  MediaEvent,
  MediaEventReceiver,
} from '../../ports/media-events.ts'
import { agentRightsOf, attributesOf } from './participants.ts'
import { PROGRESS } from './recordings.ts'
import {
  amountOf,
  type EgressBody,
  type IngressBody,
  idOf,
  momentOf,
  nameOf,
  neededId,
  type ParticipantBody,
  type RoomBody,
  readWebhookBody,
  type TrackBody,
  textOf,
  UnusableEvent,
  type WebhookBody,
} from './webhook-body.ts'
import { type SigningKey, signatureCheck } from './webhook-signature.ts'

/** Reads LiveKit's webhooks, signed with one of the keys. */
export function livekitEvents(keys: readonly SigningKey[], clock: Clock): MediaEventReceiver {
  const isSigned = signatureCheck(keys, clock)
  return {
    receive(body, authorization) {
      if (!isSigned(body, authorization)) return { outcome: 'unsigned' }
      const read = readWebhookBody(body)
      if (!read) return { outcome: 'unreadable' }
      try {
        return { outcome: 'event', event: eventOf(read, clock) }
      } catch (error) {
        if (error instanceof UnusableEvent) return { outcome: 'unusable', field: error.field }
        throw error
      }
    },
  }
}

/** @throws UnusableEvent */
function eventOf(body: WebhookBody, clock: Clock): MediaEvent {
  return {
    id: neededId(body.id, 'id'),
    at: momentOf(body.createdAt, 's') ?? clock.now(),
    ...contentOf(body),
  }
}

type Content = MediaEvent extends infer Event
  ? Event extends MediaEvent
    ? Omit<Event, 'id' | 'at'>
    : never
  : never

const UNWANTED = { kind: 'other' } as const

/** @throws UnusableEvent where it lacks the part that it is about: no reason to have it sent again */
function contentOf(body: WebhookBody): Content {
  const { event } = body
  switch (event) {
    case 'room_started':
      return { kind: event, room: namedRoomOf(body.room ?? {}) }
    case 'room_finished': {
      const seconds = amountOf(body.room?.duration ?? body.duration ?? undefined)
      const duration = seconds > 0 ? { durationSeconds: seconds } : {}
      return { kind: event, room: namedRoomOf(body.room ?? {}), ...duration }
    }
    case 'participant_joined':
      neededId(body.participant?.identity, 'participant.identity')
      return { kind: event, ...presenceOf(body) }
    case 'participant_left':
      return { kind: event, ...presenceOf(body) }
    case 'participant_connection_aborted':
      return { kind: event, ...presenceOf(body), reason: reasonOf(body.participant ?? {}) }
    case 'track_published':
    case 'track_unpublished':
      return { kind: event, ...presenceOf(body), track: trackOf(body.track ?? {}) }
    case 'egress_started':
    case 'egress_updated':
    case 'egress_ended':
      return { kind: event, recording: recordingOf(body.egressInfo ?? {}, roomOf(body.room ?? {}).name) }
    case 'ingress_started':
    case 'ingress_ended':
      return { kind: event, ingress: ingressOf(body.ingressInfo ?? {}, roomOf(body.room ?? {}).name) }
    default:
      return UNWANTED
  }
}

function presenceOf({ room, participant }: WebhookBody): { room: EventRoom; participant: EventParticipant } {
  return { room: roomOf(room ?? {}), participant: participantOf(participant ?? {}) }
}

function namedRoomOf(room: RoomBody): EventRoom {
  neededId(room.sid, 'room.sid')
  neededId(room.name, 'room.name')
  return roomOf(room)
}

function roomOf({ sid, name, creationTimeMs, creationTime }: RoomBody): EventRoom {
  return {
    sid: idOf(sid, 'room.sid'),
    name: idOf(name, 'room.name'),
    startedAt: momentOf(creationTimeMs, 'ms') ?? momentOf(creationTime, 's'),
  }
}

const KINDS = ['standard', 'ingress', 'egress', 'sip', 'agent']

function participantOf(body: ParticipantBody): EventParticipant {
  return {
    sid: neededId(body.sid, 'participant.sid'),
    identity: idOf(body.identity, 'participant.identity'),
    name: textOf(body.name),
    kind: kindOf(body),
    ...agentRightsOf(kindOf(body), body.permission),
    ...attributesOf(body),
    joinedAt: momentOf(body.joinedAtMs, 'ms') ?? momentOf(body.joinedAt, 's'),
  }
}

function kindOf({ kind, identity, permission }: ParticipantBody): ParticipantKind {
  const name = nameOf(kind, '', KINDS)
  // events of tracks do not tell the kind: recorders are known by the identity that they always have
  if (name === 'egress' || permission?.recorder || identity?.startsWith('EG_')) return 'recorder'
  if (name === 'agent' || permission?.agent) return 'agent'
  return name === 'standard' ? 'person' : 'other'
}

const REASON = /^[A-Z_]{1,40}$/

function reasonOf({ disconnectReason }: ParticipantBody): string {
  const known = typeof disconnectReason === 'string' && REASON.test(disconnectReason)
  return known ? disconnectReason.toLowerCase() : 'unknown'
}

const SOURCES = ['unknown', 'camera', 'microphone', 'screen_share', 'screen_share_audio']
const TYPES = ['audio', 'video', 'data']

/** In the order of LiveKit's numbers. */
const ENCRYPTIONS = ['none', 'gcm', 'custom']

function trackOf({ sid, source, type, encryption }: TrackBody): MediaTrack {
  return {
    sid: neededId(sid, 'track.sid'),
    source: (nameOf(source, '', SOURCES) ?? 'unknown') as TrackSource,
    type: (nameOf(type, '', TYPES) ?? 'audio') as TrackType,
    encrypted: (nameOf(encryption, '', ENCRYPTIONS) ?? 'none') !== 'none',
  }
}

const REQUESTS: readonly [keyof EgressBody, RecordingRequest][] = [
  ['roomComposite', 'room_composite'],
  ['web', 'web'],
  ['participant', 'participant'],
  ['trackComposite', 'track_composite'],
  ['track', 'track'],
]

function recordingOf(info: EgressBody, room: string): MediaRecording {
  const request = REQUESTS.find(([field]) => info[field] !== undefined && info[field] !== null)
  const file = info.fileResults?.[0] ?? info.file
  return {
    egressId: neededId(info.egressId, 'egressInfo.egressId'),
    room: idOf(info.roomName, 'egressInfo.roomName') || room,
    progress: (nameOf(info.status, 'egress_', PROGRESS) ?? 'starting') as RecordingProgress,
    request: request?.[1] ?? 'room_composite',
    startedAt: momentOf(info.startedAt, 'ns'),
    endedAt: momentOf(info.endedAt, 'ns'),
    updatedAt: momentOf(info.updatedAt, 'ns'),
    error: textOf(info.error) || undefined,
    file: file ? fileOf(file, info) : undefined,
    ...(!file && info.fileResults && !hasOtherResults(info) ? { leftNoFile: true } : {}),
  }
}

/** Streams, segments and pictures leave no file of a recording. */
function hasOtherResults({
  streamResults = [],
  segmentResults = [],
  imageResults = [],
}: EgressBody): boolean {
  return streamResults.length + segmentResults.length + imageResults.length > 0
}

const NANOSECONDS = 1e9

function fileOf(
  file: NonNullable<EgressBody['file']>,
  { backupStorageUsed }: Pick<EgressBody, 'backupStorageUsed'>,
): RecordedFile {
  return {
    key: textOf(file.filename),
    sizeBytes: Math.min(Math.round(amountOf(file.size)), Number.MAX_SAFE_INTEGER),
    durationSeconds: lastedSeconds({ told: amountOf(file.duration) / NANOSECONDS }),
    location: textOf(file.location),
    ...(backupStorageUsed ? { isElsewhere: true } : {}),
  }
}

const STATUSES = ['inactive', 'buffering', 'publishing', 'error', 'complete']
const INPUTS = ['rtmp_input', 'whip_input', 'url_input']

function ingressOf({ ingressId, roomName, inputType, state }: IngressBody, room: string): EventIngress {
  const input = nameOf(inputType, '', INPUTS) ?? 'rtmp_input'
  return {
    ingressId: neededId(ingressId, 'ingressInfo.ingressId'),
    input: input.replace('_input', '') as EventIngress['input'],
    room: idOf(roomName, 'ingressInfo.roomName') || room,
    startedAt: momentOf(state?.startedAt, 'ns'),
    endedAt: momentOf(state?.endedAt, 'ns'),
    error:
      textOf(state?.error) ||
      (nameOf(state?.status, 'endpoint_', STATUSES) === 'error' ? 'error' : undefined),
  }
}
