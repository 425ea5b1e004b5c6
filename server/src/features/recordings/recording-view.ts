import type { Recording } from '@atrium/contract'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import { invalidInput } from '../../platform/refusal.ts'
import { typeOfFilm } from './film-file.ts'
import type { StoredRecording } from './store.ts'
import { viewOfChapter } from './watching/chapters.ts'

/** When a recording can no longer be seen in the product; undefined while it runs. */
export function accessUntil(
  { endedAt }: Pick<StoredRecording, 'endedAt'>,
  accessDays: number,
): Date | undefined {
  return endedAt ? secondsAfter(endedAt, accessDays * DAY_SECONDS) : undefined
}

/** Recordings that ended before this moment can no longer be seen. */
export function accessSince(now: Date, accessDays: number): Date {
  return secondsAfter(now, -accessDays * DAY_SECONDS)
}

/** @param of.mayHold whether the viewer may hold recordings: why one is held is theirs to know */
export function viewOfRecording(
  recording: StoredRecording,
  { accessDays, mayHold }: { accessDays: number; mayHold: boolean },
): Recording {
  return {
    id: recording.id,
    egressId: recording.egressId,
    roomId: recording.room,
    name: recording.name,
    conferenceTopic: recording.conferenceTopic,
    zoneId: recording.zoneId,
    participants: recording.participants,
    state: recording.state,
    startedBy: recording.startedBy,
    requestedAt: recording.requestedAt.toISOString(),
    startedAt: recording.startedAt?.toISOString() ?? null,
    endedAt: recording.endedAt?.toISOString() ?? null,
    durationSeconds: recording.durationSeconds,
    sizeBytes: recording.sizeBytes,
    contentType: recording.state === 'completed' ? typeOfFilm(recording.fileKey) : null,
    chapters: (recording.chapters ?? []).map(viewOfChapter),
    // of those from before this was written down, nothing else is known
    stored: recording.state === 'completed' ? (recording.stored ?? 'here') : null,
    transcript: recording.transcript,
    accessUntil: accessUntil(recording, accessDays)?.toISOString() ?? null,
    ...(recording.sharedUntil ? { sharedUntil: recording.sharedUntil.toISOString() } : {}),
    ...(recording.heldAt ? { heldAt: recording.heldAt.toISOString() } : {}),
    ...(mayHold && recording.holdReason !== null ? { holdReason: recording.holdReason } : {}),
  }
}

/** Which recording: by one of its two ids. */
export interface EitherId {
  recordingId?: string | undefined
  egressId?: string | undefined
}

/** The one id that was given of the two. @throws Refusal invalid */
export function requireOneId(input: EitherId): {
  id?: string | undefined
  egressId?: string | undefined
} {
  const { recordingId, egressId } = input
  if ((recordingId === undefined) === (egressId === undefined)) {
    throw invalidInput([{ field: 'recordingId', message: 'Give either recordingId or egressId' }])
  }
  return recordingId === undefined ? { egressId } : { id: recordingId }
}
