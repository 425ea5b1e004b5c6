import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NEWER_SIGNAL_PATH, pathOf, SIGNAL_PATH } from './api/join-request.ts'
import { unreadableBody } from './api/twirp.ts'
import type { EmbeddedMedia } from './start-embedded-media.ts'
import { AGENT_PATH } from './workers/workers.ts'

export interface Listening {
  /** `http://127.0.0.1:7880`: of the API, and of clients with `ws`. */
  url: string
  close(): Promise<void>
}

const BODY_BYTES_MAX = 256 * 1024
const CALL = /^\/twirp\/([^/]+)\/([^/]+)$/
const SIGNAL_PATHS = [SIGNAL_PATH, NEWER_SIGNAL_PATH]

/** Serves a media server on a port of its own, for programs that have no HTTP server. */
export async function listen(
  media: EmbeddedMedia,
  { host = '127.0.0.1', port }: { host?: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(media, request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    if ([...SIGNAL_PATHS, AGENT_PATH].includes(pathOf(request)))
      return media.acceptUpgrade(request, socket, head)
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  await once(server.listen(port, host), 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      await media.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(media: EmbeddedMedia, request: IncomingMessage, response: ServerResponse) {
  const path = pathOf(request)
  const [, service, method] = CALL.exec(path) ?? []
  if (request.method === 'POST' && service && method) {
    const body = await bodyOf(request)
    const call = body && { service, method, headers: request.headers, body }
    const answered = call ? await media.answerCall(call) : unreadableBody()
    if (!answered) return response.destroy()
    return response.writeHead(answered.status, { 'content-type': answered.contentType }).end(answered.body)
  }
  if (request.method === 'GET' && SIGNAL_PATHS.some((one) => path === `${one}/validate`)) {
    const { status, text } = await media.validate(request)
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    return response.writeHead(status, { ...headers, 'access-control-allow-origin': '*' }).end(text)
  }
  return response.writeHead(path === '/' ? 200 : 404).end(path === '/' ? 'OK' : '')
}

/** Undefined where it is longer than any call. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return bytes > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks)
}
