import { fieldOf, MediaFault, type Message, newSid, recordOf, textOf } from '../api/api-messages.ts'
import type { NewParticipant, Room } from '../rooms/rooms.ts'

export type EgressStatus =
  | 'EGRESS_STARTING'
  | 'EGRESS_ACTIVE'
  | 'EGRESS_ENDING'
  | 'EGRESS_COMPLETE'
  | 'EGRESS_FAILED'
  | 'EGRESS_ABORTED'
  | 'EGRESS_LIMIT_REACHED'

/** One recording, as LiveKit calls it and tells of it. */
export interface Egress {
  id: string
  room: Pick<Room, 'sid' | 'name'>
  status: EgressStatus
  request: Message
  /** Where its file is asked to be. */
  filepath: string
  startedAtMs: number
  /** When there was something to record; 0: not yet. */
  runningAtMs: number
  endedAtMs: number
  updatedAtMs: number
  error: string
  errorCode: number
  details: string
  file: EgressFile | undefined
}

export interface EgressFile {
  /** Of the type that it is, which may be another than it was asked to be. */
  filename: string
  location: string
  sizeBytes: number
  durationMs: number
  /** In the backup store, and not where it was asked to be. */
  isElsewhere?: boolean
}

/** @throws MediaFault invalid_argument */
export function newEgress(
  room: Pick<Room, 'sid' | 'name'>,
  body: Record<string, unknown>,
  nowMs: number,
): Egress {
  const outputs = fieldOf(body, 'fileOutputs')
  const file = recordOf((Array.isArray(outputs) ? outputs[0] : undefined) ?? fieldOf(body, 'file'))
  const filepath = textOf(file, 'filepath')
    .replaceAll('{room_name}', room.name)
    .replaceAll('{room_id}', room.sid)
    .replaceAll('{time}', new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', ''))
  if (!filepath) throw new MediaFault('invalid_argument', 'request has missing or invalid field: output')
  const layout = textOf(body, 'layout')
  const fileType = textOf(file, 'fileType')
  return {
    id: newSid('EG'),
    room: { sid: room.sid, name: room.name },
    status: 'EGRESS_STARTING',
    // secrets of the store would be in the file's settings: they never come back
    request: {
      roomName: room.name,
      layout,
      fileOutputs: [
        {
          ...(fileType ? { fileType } : {}),
          filepath,
          disableManifest: fieldOf(file, 'disableManifest') === true,
        },
      ],
    },
    filepath,
    startedAtMs: nowMs,
    runningAtMs: 0,
    endedAtMs: 0,
    updatedAtMs: nowMs,
    error: '',
    errorCode: 0,
    details: '',
    file: undefined,
  }
}

/** The hidden participant that watches a room for a recording. */
export function watcherOf(egressId: string): NewParticipant {
  return {
    identity: egressId,
    name: '',
    metadata: '',
    attributes: {},
    kind: 'EGRESS',
    permission: {
      canSubscribe: true,
      canPublish: false,
      canPublishData: false,
      canUpdateMetadata: false,
      hidden: true,
      recorder: true,
      agent: false,
    },
  }
}

/** In answers, lists and events alike. From the beginning a file has its name, and the legacy `file` stands beside. */
export function egressMessage(egress: Egress): Message {
  const { room, startedAtMs, endedAtMs } = egress
  const file = fileMessage(egress)
  return {
    egressId: egress.id,
    roomId: room.sid,
    roomName: room.name,
    sourceType: 'EGRESS_SOURCE_TYPE_WEB',
    status: egress.status,
    startedAt: nanoseconds(startedAtMs),
    endedAt: nanoseconds(endedAtMs),
    updatedAt: nanoseconds(egress.updatedAtMs),
    details: egress.details,
    error: egress.error,
    errorCode: egress.errorCode,
    roomComposite: egress.request,
    backupStorageUsed: egress.file?.isElsewhere ?? false,
    fileResults: [file],
    file,
  }
}

function fileMessage({ file, filepath, runningAtMs, endedAtMs }: Egress): Message {
  const begun = { filename: file?.filename ?? filepath, startedAt: nanoseconds(runningAtMs) }
  if (!file) return begun
  return {
    ...begun,
    endedAt: nanoseconds(endedAtMs),
    duration: nanoseconds(file.durationMs),
    size: BigInt(file.sizeBytes),
    location: file.location,
  }
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n
}
