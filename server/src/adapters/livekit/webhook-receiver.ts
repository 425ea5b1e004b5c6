import { hash } from 'node:crypto'
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
import { sessionOf } from './participants.ts'
import { PROGRESS } from './recordings.ts'
import {
  amountOf,
  type EgressBody,
  type IngressBody,
  momentOf,
  nameOf,
  type ParticipantBody,
  type RoomBody,
  readWebhookBody,
  type TrackBody,
  textOf,
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
      return { outcome: 'event', event: eventOf(read, body, clock) }
    },
  }
}

function eventOf(body: WebhookBody, bytes: Buffer, clock: Clock): MediaEvent {
  return {
    // an event without an id is still the same event when it comes again
    id: textOf(body.id) || `sha256:${hash('sha256', bytes)}`,
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

/** What lacks the part that it is about is of no use, and no reason to have it sent again. */
function contentOf(body: WebhookBody): Content {
  const { event, participant, track, egressInfo, ingressInfo } = body
  const room = roomOf(body.room ?? {})
  switch (event) {
    case 'room_started':
      return room.sid ? { kind: event, room } : UNWANTED
    case 'room_finished': {
      const seconds = amountOf(body.room?.duration ?? body.duration ?? undefined)
      return room.sid ? { kind: event, room, ...(seconds > 0 ? { durationSeconds: seconds } : {}) } : UNWANTED
    }
    case 'participant_joined':
    case 'participant_left':
      return participant?.sid ? { kind: event, room, participant: participantOf(participant) } : UNWANTED
    case 'participant_connection_aborted':
      return participant?.sid
        ? { kind: event, room, participant: participantOf(participant), reason: reasonOf(participant) }
        : UNWANTED
    case 'track_published':
    case 'track_unpublished':
      return participant?.sid && track?.sid
        ? { kind: event, room, participant: participantOf(participant), track: trackOf(track) }
        : UNWANTED
    case 'egress_started':
    case 'egress_updated':
    case 'egress_ended':
      return egressInfo?.egressId ? { kind: event, recording: recordingOf(egressInfo, room.name) } : UNWANTED
    case 'ingress_started':
    case 'ingress_ended':
      return ingressInfo?.ingressId ? { kind: event, ingress: ingressOf(ingressInfo, room.name) } : UNWANTED
    default:
      return UNWANTED
  }
}

function roomOf({ sid, name, creationTimeMs, creationTime }: RoomBody): EventRoom {
  return {
    sid: textOf(sid),
    name: textOf(name),
    startedAt: momentOf(creationTimeMs, 'ms') ?? momentOf(creationTime, 's'),
  }
}

const KINDS = ['standard', 'ingress', 'egress', 'sip', 'agent']

function participantOf(given: ParticipantBody): EventParticipant {
  return {
    sid: textOf(given.sid),
    identity: textOf(given.identity),
    name: textOf(given.name),
    kind: kindOf(given),
    ...sessionOf(given),
    joinedAt: momentOf(given.joinedAtMs, 'ms') ?? momentOf(given.joinedAt, 's'),
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

function trackOf({ sid, source, type }: TrackBody): MediaTrack {
  return {
    sid: textOf(sid),
    source: (nameOf(source, '', SOURCES) ?? 'unknown') as TrackSource,
    type: (nameOf(type, '', TYPES) ?? 'audio') as TrackType,
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
  const asked = REQUESTS.find(([field]) => info[field] !== undefined && info[field] !== null)
  const file = info.fileResults?.[0] ?? info.file
  return {
    egressId: textOf(info.egressId),
    room: textOf(info.roomName) || room,
    progress: (nameOf(info.status, 'egress_', PROGRESS) ?? 'starting') as RecordingProgress,
    request: asked?.[1] ?? 'room_composite',
    startedAt: momentOf(info.startedAt, 'ns'),
    endedAt: momentOf(info.endedAt, 'ns'),
    updatedAt: momentOf(info.updatedAt, 'ns'),
    error: textOf(info.error) || undefined,
    file: file ? fileOf(file, info) : undefined,
  }
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
    ingressId: textOf(ingressId),
    input: input.replace('_input', '') as EventIngress['input'],
    room: textOf(roomName) || room,
    startedAt: momentOf(state?.startedAt, 'ns'),
    endedAt: momentOf(state?.endedAt, 'ns'),
    error:
      textOf(state?.error) ||
      (nameOf(state?.status, 'endpoint_', STATUSES) === 'error' ? 'error' : undefined),
  }
}
