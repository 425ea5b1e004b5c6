import { Readable } from 'node:stream'
import { RecordingEndReport } from '@atrium/contract'
import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Server } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Secret, secretCheck } from '../../platform/secret.ts'
import type { ObjectStoragePort, OpenObject } from '../../ports/object-storage.ts'
import { reconcileRecording } from './reconcile.ts'

/** What knows which downloads were allowed, where the API serves the files itself. */
export interface DownloadGate {
  verifyDownload(
    key: string,
    query: Readonly<Record<string, unknown>>,
  ): { fileName: string; contentType: string } | undefined
}

export interface RecordingRoutesNeeds {
  db: Db
  clock: Clock
  /** Shared with whoever reports how recordings ended. */
  webhookSecret: Secret
  storage: Pick<ObjectStoragePort, 'open'>
  /** Undefined where the store has an address of its own. */
  gate: DownloadGate | undefined
}

const SECRET_HEADER = 'x-webhook-secret'
/** An offset is asked for: a time without one is nobody's. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** `POST /webhook/recordings`, and downloads of recordings where files are kept by the API itself. */
export function serveRecordingRoutes(server: Server, needs: RecordingRoutesNeeds): void {
  const isSecret = secretCheck(needs.webhookSecret)
  server.post<{ Body: RecordingEndReport }>('/webhook/recordings', {
    schema: { body: { ...RecordingEndReport, additionalProperties: false } },
    schemaErrorFormatter: (errors) => refusalOf(errors) as unknown as Error,
    // before the body is read
    onRequest: async (request) => {
      const given = request.headers[SECRET_HEADER]
      if (typeof given !== 'string' || !isSecret(given))
        throw new Refusal('unauthenticated', 'The webhook secret is missing or wrong')
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
      if (!known) throw new Refusal('not-found', 'There is no such recording')
      return { code: 200, message: 'Recorded' }
    },
  })
  const { gate } = needs
  if (gate)
    server.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
      '/storage/recordings/*',
      (request, reply) => sendFile(needs.storage, gate, request, reply),
    )
}

function refusalOf(errors: readonly FastifySchemaValidationError[]): Refusal {
  const details = errors.map(({ instancePath, params, message = 'is not valid' }) => {
    const field = instancePath.slice(1) || String(params.missingProperty ?? 'body')
    return { field, message }
  })
  const [first] = details
  return new Refusal('invalid', first ? `${first.field} ${first.message}` : 'The input is not valid', {
    error: 'invalid-input',
    details,
  })
}

function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (MOMENT.test(text) && !Number.isNaN(moment.getTime())) return moment
  const message = 'must be an RFC 3339 time'
  throw new Refusal('invalid', `endedAt ${message}`, { details: [{ field: 'endedAt', message }] })
}

async function sendFile(
  storage: RecordingRoutesNeeds['storage'],
  gate: DownloadGate,
  request: FastifyRequest<{ Params: { '*': string }; Querystring: Record<string, unknown> }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = `recordings/${request.params['*']}`
  const grant = gate.verifyDownload(key, request.query)
  if (!grant)
    throw new Refusal('forbidden', 'This download address is not valid, or not any more', {
      error: 'download-not-granted',
    })
  const found = await storage.open({ key })
  if (!found) throw new Refusal('not-found', 'This file is not there')
  reply.headers({
    'content-disposition': `attachment; filename="${grant.fileName}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
    'content-length': found.sizeBytes,
    etag: `"${found.etag}"`,
  })
  reply.type(grant.contentType)
  if (request.method === 'HEAD') {
    await found.close()
    return reply.send()
  }
  return reply.send(bodyOf(found))
}

function bodyOf(found: OpenObject): Readable {
  const body = Readable.from(found.bytes, { objectMode: false })
  body.once('close', () => void found.close())
  return body
}
