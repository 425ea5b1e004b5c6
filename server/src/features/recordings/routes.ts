import { RecordingEndReport } from '@atrium/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { boundedBy } from '../../platform/http/input/bounded-input.ts'
import { refusalOfInput } from '../../platform/http/input/invalid-input.ts'
import { inputSchema } from '../../platform/http/operations.ts'
import type { Server } from '../../platform/http/server.ts'
import { type DownloadGate, serveDownloads } from '../../platform/http/signed-downloads.ts'
import { parseMoment } from '../../platform/moment.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Secret, secretCheck } from '../../platform/secrets/secret.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { reconcileRecording } from './reconcile.ts'
import { noSuchRecording } from './rules.ts'

export interface RecordingRoutesNeeds {
  db: Db
  clock: Clock
  /** Shared with the system that reports how recordings ended. */
  webhookSecret: Secret
  storage: Pick<ObjectStoragePort, 'find'>
  /** Undefined where the store has an address of its own. */
  gate: DownloadGate | undefined
}

const SECRET_HEADER = 'x-webhook-secret'
/** `POST /webhook/recordings`, and downloads of recordings where files are kept by the API itself. */
export function serveRecordingRoutes(server: Server, needs: RecordingRoutesNeeds): void {
  const isSecret = secretCheck(needs.webhookSecret)
  server.post<{ Body: RecordingEndReport }>('/webhook/recordings', {
    schema: { body: inputSchema(RecordingEndReport) },
    config: boundedBy({ body: RecordingEndReport }),
    schemaErrorFormatter: (errors, part) =>
      refusalOfInput({ body: RecordingEndReport }, errors, part) as unknown as Error,
    // before the body is read
    onRequest: async (request) => {
      const given = request.headers[SECRET_HEADER]
      if (typeof given !== 'string' || !isSecret(given))
        throw Refusal.of('unauthenticated', { message: 'The webhook secret is missing or wrong' })
    },
    preValidation: async (request) => {
      if (request.body === undefined) request.body = {} as RecordingEndReport
    },
    handler: async ({ body }) => {
      const { egressId, status, fileUrl, sizeBytes, durationSeconds } = body
      const endedAt = momentOf(body.endedAt)
      const known = await reconcileRecording(needs, {
        egressId,
        status,
        fileUrl,
        sizeBytes,
        durationSeconds,
        endedAt,
      })
      if (!known) throw noSuchRecording()
      return { code: 200, message: 'Recorded' }
    },
  })
  const { gate } = needs
  if (gate) serveDownloads(server, 'recordings', gate)
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text)
}
