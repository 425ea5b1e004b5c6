import type { EgressInfo } from 'livekit-server-sdk'
import { lastedSeconds } from '../../platform/timing/lasted.ts'
import type { MediaRecording, RecordedFile, RecordingProgress, RecordingRequest } from '../../ports/media.ts'

/** By LiveKit's numbers of its states. */
export const PROGRESS: readonly RecordingProgress[] = [
  'starting',
  'active',
  'ending',
  'complete',
  'failed',
  'aborted',
  'limit_reached',
]

/** By the name of the request that LiveKit gives back. A request of a newer kind is one of everything in a room. */
const REQUESTS: Record<string, RecordingRequest> = {
  roomComposite: 'room_composite',
  web: 'web',
  participant: 'participant',
  trackComposite: 'track_composite',
  track: 'track',
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000n

/** A recording as LiveKit tells of it, in answers and in events alike. */
export function recordingOf(info: EgressInfo): MediaRecording {
  return {
    egressId: info.egressId,
    room: info.roomName,
    progress: PROGRESS[info.status] ?? 'failed',
    request: REQUESTS[info.request.case ?? ''] ?? 'room_composite',
    startedAt: timeOf(info.startedAt),
    endedAt: timeOf(info.endedAt),
    updatedAt: timeOf(info.updatedAt),
    error: info.error || undefined,
    file: fileOf(info),
  }
}

function fileOf(info: EgressInfo): RecordedFile | undefined {
  const file = info.fileResults[0] ?? (info.result.case === 'file' ? info.result.value : undefined)
  if (!file?.filename) return undefined
  return {
    key: file.filename,
    sizeBytes: Math.max(0, Number(file.size)),
    durationSeconds: lastedSeconds({
      told: Number(file.duration / NANOSECONDS_PER_MILLISECOND) / 1_000,
    }),
    location: file.location,
    ...(info.backupStorageUsed ? { isElsewhere: true } : {}),
  }
}

/** Nanoseconds since 1970; 0: not yet. */
function timeOf(nanoseconds: bigint): Date | undefined {
  return nanoseconds > 0n ? new Date(Number(nanoseconds / NANOSECONDS_PER_MILLISECOND)) : undefined
}
