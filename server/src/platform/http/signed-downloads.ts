import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { fileDisposition } from './file-disposition.ts'
import { NOTHING_POLICY } from './security-headers.ts'
import type { Server } from './server.ts'

/** The store, where the API serves its files itself: which downloads were allowed, and the bytes. */
export interface DownloadGate {
  verifyDownload(
    key: string,
    query: Readonly<Record<string, unknown>>,
  ): { fileName: string; contentType: string; shown: boolean } | undefined
  openParts(key: string): Promise<PartedFile | undefined>
}

interface PartedFile {
  sizeBytes: number
  etag: string
  /** From one byte to before another. */
  part(start: number, end: number): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

type FileRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

/** `GET /storage/<folder>/…` at signed addresses, of files that the API itself keeps: whole or in part. */
export function serveDownloads(server: Server, folder: string, gate: DownloadGate): void {
  server.get<FileRequest>(`/storage/${folder}/*`, (request, reply) =>
    sendFile(gate, `${folder}/${request.params['*']}`, request, reply),
  )
}

async function sendFile(
  gate: DownloadGate,
  key: string,
  request: FastifyRequest<FileRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const grant = gate.verifyDownload(key, request.query)
  if (!grant)
    throw new Refusal('forbidden', 'This download link is invalid or has expired', {
      error: 'download-not-granted',
    })
  const file = await gate.openParts(key)
  if (!file) throw Refusal.of('not-found', { message: 'This file does not exist' })
  const { sizeBytes, etag } = file
  reply.type(grant.contentType).headers({
    'content-disposition': fileDisposition(grant),
    'content-security-policy': `${NOTHING_POLICY}; sandbox`,
    'x-content-type-options': 'nosniff',
    // what is shown is shown by front ends of other origins
    'cross-origin-resource-policy': grant.shown ? 'cross-origin' : 'same-origin',
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
