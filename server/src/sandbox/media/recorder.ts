import {
  fieldOf,
  MediaFault,
  type Message,
  newSid,
  recordOf,
  textOf,
} from '@atrium/embedded-media/api/api-messages.ts'
import type { Recorder } from '@atrium/embedded-media/rooms/recorder.ts'
import type { Emit, Participant, Room, Rooms } from '@atrium/embedded-media/rooms/rooms.ts'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import { after, type Timer } from '../../platform/timing/timer.ts'
import type { Faults } from './faults.ts'

import { sampleRecording } from './sample-recording.ts'

type Status =
  | 'EGRESS_STARTING'
  | 'EGRESS_ACTIVE'
  | 'EGRESS_ENDING'
  | 'EGRESS_COMPLETE'
  | 'EGRESS_FAILED'
  | 'EGRESS_ABORTED'
  | 'EGRESS_LIMIT_REACHED'

interface Egress {
  id: string
  room: Room
  status: Status
  request: Message
  filepath: string
  startedAtMs: number
  endedAtMs: number
  updatedAtMs: number
  error: string
  errorCode: number
  details: string
  file: { sizeBytes: number; location: string; isElsewhere?: boolean } | undefined
  /** The hidden participant that watches the room. */
  watcher: Participant | undefined
  next: Timer | undefined
}

export interface RecorderNeeds {
  clock: Clock
  rooms: Rooms
  emit: Emit
  faults: Faults
  /** Puts a finished file where recordings are kept. */
  keepFile(key: string, bytes: Uint8Array): Promise<void>
  /** From the start of a recording until it runs, and from its stop until its file is there. */
  paceMs?: number
  /** Told of what fails in a timer. */
  onFault(error: unknown): void
}

const PACE_MS = 250
const KEEP_ENDED_MS = DAY_MS
const STOPPABLE: readonly Status[] = ['EGRESS_STARTING', 'EGRESS_ACTIVE']

/** A recorder beside the media server: no picture of the room, but the life of a real recording and a file at its end. */
export function openRecorder(needs: RecorderNeeds): Recorder {
  const { clock, rooms, emit, faults, paceMs = PACE_MS } = needs
  const egresses = new Map<string, Egress>()
  const writing = new Set<Promise<void>>()
  const nowMs = () => clock.now().getTime()

  const tell = (event: string, egress: Egress) => {
    const { room } = egress
    emit(event, { egressInfo: egressMessage(egress), room: { sid: room.sid, name: room.name } }, egress.id)
  }
  const change = (egress: Egress, changed: Partial<Egress>) => {
    egress.next?.stop()
    Object.assign(egress, changed, { updatedAtMs: nowMs() })
  }
  const later = (egress: Egress, step: () => unknown) => {
    egress.next = after(paceMs, step, needs.onFault)
  }
  /** Two may record one room: it is recorded until the last of them has gone. */
  const tellRoom = (room: Room) => {
    const isRecording = [...room.participants.values()].some(({ permission }) => permission.recorder)
    if (isRecording !== room.isRecording) rooms.describe(room, { isRecording })
  }
  const end = (egress: Egress, status: Status, changed: Partial<Egress> = {}) => {
    change(egress, { ...changed, status, endedAtMs: nowMs() })
    if (egress.watcher) rooms.leave(egress.room, egress.watcher, 'CLIENT_INITIATED')
    tellRoom(egress.room)
    tell('egress_ended', egress)
  }
  const run = (egress: Egress) => {
    if (faults.current.recordings === 'never-run') return
    if (faults.current.recordings === 'aborted')
      return end(egress, 'EGRESS_ABORTED', { error: 'Start signal not received', errorCode: 412 })
    change(egress, { status: 'EGRESS_ACTIVE', startedAtMs: nowMs() })
    egress.watcher = rooms.join(egress.room, watcherOf(egress.id))
    tellRoom(egress.room)
    tell('egress_updated', egress)
  }
  const finish = (egress: Egress, details: string) => {
    if (egress.status === 'EGRESS_STARTING') {
      const error = 'Stop called before pipeline could start'
      return end(egress, 'EGRESS_ABORTED', { error, errorCode: 412, details })
    }
    if (egress.status !== 'EGRESS_ACTIVE') return
    change(egress, { status: 'EGRESS_ENDING', details })
    tell('egress_updated', egress)
    later(egress, () => complete(egress))
  }
  const complete = async (egress: Egress) => {
    const { recordings } = faults.current
    if (recordings === 'failed')
      return end(egress, 'EGRESS_FAILED', { error: 'upload failed', errorCode: 500 })
    if (recordings === 'no-file') return end(egress, 'EGRESS_COMPLETE')
    const bytes = sampleRecording((nowMs() - egress.startedAtMs) / 1_000)
    if (recordings === 'backup-store') {
      const location = `backup/${egress.filepath}`
      return end(egress, 'EGRESS_COMPLETE', {
        file: { sizeBytes: bytes.byteLength, location, isElsewhere: true },
      })
    }
    const written = needs.keepFile(egress.filepath, bytes)
    writing.add(written)
    try {
      await written
    } catch {
      return end(egress, 'EGRESS_FAILED', { error: 'the file could not be stored', errorCode: 500 })
    } finally {
      writing.delete(written)
    }
    const file = { sizeBytes: bytes.byteLength, location: egress.filepath }
    return end(egress, recordings === 'limit-reached' ? 'EGRESS_LIMIT_REACHED' : 'EGRESS_COMPLETE', { file })
  }
  const forgetOld = () => {
    for (const { id, endedAtMs } of egresses.values())
      if (endedAtMs > 0 && endedAtMs < nowMs() - KEEP_ENDED_MS) egresses.delete(id)
  }

  const crash = () => {
    for (const { next } of egresses.values()) next?.stop()
    egresses.clear()
  }

  return {
    crash,
    async close() {
      crash()
      await Promise.allSettled(writing)
    },
    start(body) {
      const room = rooms.require(textOf(body, 'roomName'))
      const egress = newEgress(room, body, nowMs())
      forgetOld()
      egresses.set(egress.id, egress)
      tell('egress_started', egress)
      later(egress, () => run(egress))
      return egressMessage(egress)
    },
    stop(egressId) {
      const egress = egresses.get(egressId)
      if (!egress) throw new MediaFault('not_found', 'egress does not exist')
      if (!STOPPABLE.includes(egress.status))
        throw new MediaFault('failed_precondition', `egress with status ${egress.status} cannot be stopped`)
      finish(egress, 'End reason: StopEgress API')
      return egressMessage(egress)
    },
    list({ roomName, egressId, isActive }) {
      forgetOld()
      return [...egresses.values()]
        .filter((egress) => !roomName || egress.room.name === roomName)
        .filter((egress) => !egressId || egress.id === egressId)
        .filter((egress) => !isActive || STOPPABLE.includes(egress.status))
        .map(egressMessage)
    },
    roomEnds(room) {
      for (const egress of egresses.values())
        if (egress.room === room) finish(egress, 'End reason: Source closed')
    },
  }
}

function newEgress(room: Room, body: Record<string, unknown>, nowMs: number): Egress {
  const outputs = fieldOf(body, 'fileOutputs')
  const file = recordOf((Array.isArray(outputs) ? outputs[0] : undefined) ?? fieldOf(body, 'file'))
  const filepath = textOf(file, 'filepath')
    .replaceAll('{room_name}', room.name)
    .replaceAll('{room_id}', room.sid)
    .replaceAll('{time}', new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', ''))
  if (!filepath) throw new MediaFault('invalid_argument', 'request has missing or invalid field: output')
  const layout = textOf(body, 'layout')
  // secrets of the store would be in the file's settings: they never come back
  const request = { roomName: room.name, layout, fileOutputs: [{ filepath }] }
  return {
    id: newSid('EG'),
    room,
    status: 'EGRESS_STARTING',
    request,
    filepath,
    startedAtMs: 0,
    endedAtMs: 0,
    updatedAtMs: nowMs,
    error: '',
    errorCode: 0,
    details: '',
    file: undefined,
    watcher: undefined,
    next: undefined,
  }
}

function watcherOf(egressId: string) {
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

function egressMessage(egress: Egress): Message {
  const { room, startedAtMs, endedAtMs, file } = egress
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
    backupStorageUsed: file?.isElsewhere ?? false,
    fileResults: file
      ? [
          {
            filename: egress.filepath,
            startedAt: nanoseconds(startedAtMs),
            endedAt: nanoseconds(endedAtMs),
            duration: nanoseconds(endedAtMs - startedAtMs),
            size: BigInt(file.sizeBytes),
            location: file.location,
          },
        ]
      : [],
  }
}

function nanoseconds(ms: number): bigint {
  return BigInt(ms) * 1_000_000n
}
