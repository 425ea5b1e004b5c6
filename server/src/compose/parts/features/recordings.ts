import { listOrganizationsOf } from '../../../access/audit/audit-erasure.ts'
import { eraseFromRecordings } from '../../../features/recordings/erase.ts'
import { sweepRecordingsJob } from '../../../features/recordings/jobs.ts'
import { recordingChanged } from '../../../features/recordings/provider-events.ts'
import {
  purgeRecordingsJob,
  removeOrphanedRecordingsJob,
} from '../../../features/recordings/removal/retention.ts'
import { serveRecordingRoutes } from '../../../features/recordings/routes.ts'
import { transcriptErasureQueue } from '../../../features/recordings/transcript/transcript-erasure.ts'
import { transcriptQueue } from '../../../features/recordings/transcript/transcript-queue.ts'
import type { MediaRecording } from '../../../ports/media.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Media } from '../ports/media.ts'
import type { Uploads } from '../ports/uploads.ts'

/** Recordings: what is done about them in the background, and what is not an operation. */
export interface Recordings extends Part {
  needs: { recordingAccessDays: number }
  /** Takes what the media server tells of a recording. */
  onRecordingEvent(recording: MediaRecording): Promise<void>
}

export function openRecordings(
  { config, clock, log }: Opening,
  given: { databases: Databases; media: Media; uploads: Uploads },
): Recordings {
  const { background: db } = given.databases
  const { transcriber, needs } = given.media
  const { media } = needs
  const { storage, downloadGate } = given.uploads
  const { accessDays, fileDays, webhookSecret } = config.recordings
  const sweep = sweepRecordingsJob({ db, clock, log, media, storage })
  const removal = [
    purgeRecordingsJob({ db, clock, storage, fileDays }),
    removeOrphanedRecordingsJob({ db, clock, storage }),
  ]
  return {
    needs: { recordingAccessDays: accessDays },
    erasers: [
      {
        name: 'recordings',
        erase: async (person) =>
          eraseFromRecordings({ db, clock }, person, await listOrganizationsOf(db, person.id)),
      },
    ],
    queues: [transcriptQueue({ db, storage, transcriber }), transcriptErasureQueue({ db, clock })],
    jobs: config.media ? [sweep, ...removal] : removal,
    async onRecordingEvent(recording) {
      await recordingChanged({ db, clock, storage, log }, recording)
    },
    // the reconciliation webhook, and downloads where files are kept by the API
    routes: (server) =>
      serveRecordingRoutes(server, { db, clock, webhookSecret, storage, gate: downloadGate }),
  }
}
