import { Readable } from 'node:stream'
import { RecordingEndReport } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { refusalOfInput } from '../../platform/http/invalid-input.ts'
import { inputSchema } from '../../platform/http/operations.ts'
import type { Server } from '../../platform/http/server.ts'
import { parseMoment } from '../../platform/moment.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Secret, secretCheck } from '../../platform/secrets/secret.ts'
import { reconcileRecording } from './reconcile.ts'

/** The store, where the API serves its files itself: which downloads were allowed, and the bytes. */
export interface DownloadGate {
  verifyDownload(
    key: string,
    query: Readonly<Record<string, unknown>>,
  ): { fileName: string; contentType: string } | undefined
  openParts(key: string): Promise<PartedFile | undefined>
}

interface PartedFile {
  sizeBytes: number
  etag: string
  /** From one byte to before another. */
  part(start: number, end: number): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export interface RecordingRoutesNeeds {
  db: Db
  clock: Clock
  /** Shared with whoever reports how recordings ended. */
  webhookSecret: Secret
  /** Undefined where the store has an address of its own. */
  gate: DownloadGate | undefined
}

type FileRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

const SECRET_HEADER = 'x-webhook-secret'
/** `POST /webhook/recordings`, and downloads of recordings where files are kept by the API itself. */
export function serveRecordingRoutes(server: Server, needs: RecordingRoutesNeeds): void {
  const isSecret = secretCheck(needs.webhookSecret)
  server.post<{ Body: RecordingEndReport }>('/webhook/recordings', {
    schema: { body: inputSchema(RecordingEndReport) },
    schemaErrorFormatter: (errors, part) =>
      refusalOfInput({ body: RecordingEndReport }, errors, part) as unknown as Error,
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
    server.get<FileRequest>('/storage/recordings/*', (request, reply) => sendFile(gate, request, reply))
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text)
}

async function sendFile(
  gate: DownloadGate,
  request: FastifyRequest<FileRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = `recordings/${request.params['*']}`
  const grant = gate.verifyDownload(key, request.query)
  if (!grant)
    throw new Refusal('forbidden', 'This download link is invalid or has expired', {
      error: 'download-not-granted',
    })
  const file = await gate.openParts(key)
  if (!file) throw new Refusal('not-found', 'This file does not exist')
  const { sizeBytes, etag } = file
  reply.type(grant.contentType).headers({
    'content-disposition': `attachment; filename="${grant.fileName}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: `"${etag}"`,
  })
  // players ask for the part that they show, and interrupted downloads for the rest
  const range =
    request.headers['if-range'] === undefined ? rangeOf(request.headers.range, sizeBytes) : undefined
  if (range === 'none' || request.method === 'HEAD') await file.close()
  if (range === 'none') return reply.status(416).header('content-range', `bytes */${sizeBytes}`).send()
  const [start, end] = range ?? [0, sizeBytes]
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  reply.header('content-length', end - start)
  return reply.send(request.method === 'HEAD' ? undefined : streamOf(file, start, end))
}

/** One part, from one byte to before another; `none` where it lies behind the end; undefined: the whole. */
function rangeOf(
  header: string | undefined,
  size: number,
): [start: number, end: number] | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return start < end ? [start, end] : 'none'
}

function streamOf(file: PartedFile, start: number, end: number): Readable {
  const body = Readable.from(file.part(start, end), { objectMode: false })
  body.once('close', () => void file.close())
  return body
}
