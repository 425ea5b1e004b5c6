import type { Config } from '../configuration/config.ts'
import { purgeRecordingsJob, sweepRecordingsJob } from '../features/recordings/jobs.ts'
import { recordingChanged } from '../features/recordings/provider-events.ts'
import { type DownloadGate, serveRecordingRoutes } from '../features/recordings/routes.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Server } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import type { MediaPort, MediaRecording } from '../ports/media.ts'
import type { ObjectStoragePort } from '../ports/object-storage.ts'

/** Recordings: what is done about them in the background, and what is not an operation. */
export interface Recordings {
  jobs: Job[]
  needs: { recordingAccessDays: number }
  /** Takes what the media server tells of a recording. */
  onRecordingEvent(recording: MediaRecording): Promise<void>
  /** Adds the reconciliation webhook, and downloads where files are kept by the API. */
  serve(server: Server): void
}

export function composeRecordings({
  config,
  clock,
  log,
  db,
  media,
  storage,
  downloadGate,
}: {
  config: Config
  clock: Clock
  log: Log
  db: Db
  media: MediaPort
  storage: ObjectStoragePort
  /** Undefined where the store has an address of its own. */
  downloadGate: DownloadGate | undefined
}): Recordings {
  const { accessDays, fileDays, webhookSecret } = config.recordings
  const sweep = sweepRecordingsJob({ db, clock, log, media })
  const purge = purgeRecordingsJob({ db, clock, storage, fileDays })
  return {
    jobs: config.media ? [sweep, purge] : [purge],
    needs: { recordingAccessDays: accessDays },
    async onRecordingEvent(recording) {
      await recordingChanged({ db, clock }, recording)
    },
    serve(server) {
      serveRecordingRoutes(server, { db, clock, webhookSecret, gate: downloadGate })
    },
  }
}
