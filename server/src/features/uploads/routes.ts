import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEncoded } from '../../platform/http/input/encoded-body.ts'
import { NOTHING_POLICY } from '../../platform/http/security-headers.ts'
import type { Server } from '../../platform/http/server.ts'
import { type DownloadGate, serveDownloads } from '../../platform/http/signed-downloads.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort, OpenObject } from '../../ports/object-storage.ts'

/** What takes uploads where they come to the API itself; a store of its own has its own address for them. */
export interface UploadReceiver {
  receive(upload: {
    key: string
    query: Readonly<Record<string, unknown>>
    contentType: string | undefined
    lengthBytes: number | undefined
    bytes: AsyncIterable<Uint8Array>
  }): Promise<string>
}

export interface StorageRoutesNeeds {
  storage: Pick<ObjectStoragePort, 'open'>
  /** Undefined where uploads do not come to the API. */
  receiver: (UploadReceiver & DownloadGate) | undefined
}

type KeyRequest = { Params: { '*': string }; Querystring: Record<string, unknown> }

/** Nothing in a stored file is ever run, not even where a browser takes it for something else. */
const FILE_HEADERS = {
  'content-security-policy': `${NOTHING_POLICY}; sandbox`,
  'x-content-type-options': 'nosniff',
  // pictures are shown by front ends of other origins
  'cross-origin-resource-policy': 'cross-origin',
}
/** Below its folder. A store is asked for no other path: it may read dots and slashes in its own way. */
const IMAGE_PATH = /^\w{1,128}\/[0-9a-f-]{36}\.(jpg|png|webp)$/
const SERVED_TYPES = ['image/jpeg', 'image/png', 'image/webp']

/**
 * `GET /storage/avatars/…` and `/storage/logos/…`: the finished images. `PUT /storage/…`: an upload to a signed
 * address. `GET /storage/attachments/…`: files of the chat at signed addresses. Temporary objects cannot be read here.
 */
export function serveStorage(server: Server, { storage, receiver }: StorageRoutesNeeds): void {
  for (const folder of ['avatars', 'logos']) {
    server.get<KeyRequest>(`/storage/${folder}/*`, async (request, reply) =>
      IMAGE_PATH.test(request.params['*'])
        ? sendObject(storage, `${folder}/${request.params['*']}`, request, reply)
        : (reply.callNotFound() as unknown as FastifyReply),
    )
  }
  if (!receiver) return
  serveDownloads(server, 'attachments', receiver)
  void server.register(async (scope) => serveUploads(scope as Server, receiver))
}

async function sendObject(
  storage: StorageRoutesNeeds['storage'],
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await storage.open({ key })
  if (!found || !SERVED_TYPES.includes(found.contentType)) {
    await found?.close()
    return reply.callNotFound() as unknown as FastifyReply
  }
  const etag = `"${found.etag}"`
  reply.headers({ ...FILE_HEADERS, etag, 'cache-control': found.cacheControl ?? 'no-cache' })
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag)) {
    await found.close()
    return reply.status(304).send()
  }
  reply.type(found.contentType).header('content-length', found.sizeBytes)
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

function serveUploads(scope: Server, receiver: UploadReceiver): void {
  scope.removeAllContentTypeParsers()
  // any type: the signature decides which; the bytes go on as they come
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  const cors = { methods: ['PUT'], allowedHeaders: ['content-type'], exposedHeaders: ['etag'] }
  scope.options('/storage/*', { config: { cors } }, async (_request, reply) => reply.callNotFound())
  scope.put<KeyRequest>('/storage/*', { config: { cors } }, async (request, reply) => {
    if (isEncoded(request.headers)) throw Refusal.of('encoded-body')
    const { 'content-type': contentType, 'content-length': length } = request.headers
    // When we stop early, the rest is read and dropped: a client that is still sending gets the refusal, and the
    // connection its next request.
    const bytes = request.raw.iterator({ destroyOnReturn: false })
    const lengthBytes = length === undefined ? undefined : Number(length)
    const upload = { key: request.params['*'], query: request.query, contentType, lengthBytes, bytes }
    const etag = await receiver.receive(upload).finally(() => request.raw.resume())
    return reply.status(200).header('etag', `"${etag}"`).send()
  })
}
