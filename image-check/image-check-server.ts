import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeOtherLoaders, decode, preview } from './decode.ts'
import { makeSlots } from './slots.ts'
import type { ImageVerdict } from './verdict.ts'

export interface ImageCheckServerOptions {
  host: string
  /** 0: a free one. */
  port: number
  /** Told when this process is beyond repair (stuck, or grown too large): it must end, and be started again. */
  onFatal: (error: Error) => void
}

/** 2 MiB plus 256 KiB: what a finalized image may have. */
const IMAGE_BYTES_MAX = 2_359_296
/** What is shown smaller may have more. */
const PREVIEWED_BYTES_MAX = 25 * 1024 * 1024

interface Work {
  bytesMax: number
  run(bytes: Uint8Array): Promise<ImageVerdict>
  /** Of the picture that it answers with; undefined: as the image. */
  type?: 'image/webp'
}
const WORK: Readonly<Record<string, Work>> = {
  'POST /check': { bytesMax: IMAGE_BYTES_MAX, run: decode },
  'POST /preview': { bytesMax: PREVIEWED_BYTES_MAX, run: preview, type: 'image/webp' },
}
const AT_ONCE = 2
const WAITING_MAX = 256
const STUCK_AFTER_MS = 10_000
const MEMORY_BYTES_MAX = 512 * 1024 * 1024
const MEMORY_LOOK_MS = 200

/**
 * The image check as a server of its own (docs/image-check.md). Knows no secret: bytes in, verdict out.
 * @returns the port it listens on
 */
export async function serveImageCheck(
  options: ImageCheckServerOptions,
): Promise<{ port: number; server: Server }> {
  closeOtherLoaders()
  const slots = makeSlots({ atOnce: AT_ONCE, waitingMax: WAITING_MAX })
  const server = createServer({ requestTimeout: 15_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response, slots, options.onFatal).catch(() => {
      if (!response.headersSent) refuse(response, 503, 'failed')
      else response.destroy()
    })
  })
  watchMemory(server, options.onFatal)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  slots: ReturnType<typeof makeSlots>,
  onFatal: (error: Error) => void,
): Promise<void> {
  const route = `${request.method} ${request.url?.split('?', 1)[0]}`
  if (route === 'GET /health') {
    response.writeHead(200).end('ok')
    return
  }
  const work = Object.hasOwn(WORK, route) ? WORK[route] : undefined
  if (!work) return refuse(response, 404, 'not-found')
  if (Number(request.headers['content-length'] ?? 0) > work.bytesMax)
    return refuse(response, 413, 'too-large')
  // The body is read once it is its turn: what waits here waits in the network, not in memory.
  const leave = await slots.enter()
  if (!leave) return refuse(response, 503, 'busy')
  const stuck = setTimeout(() => onFatal(new Error('a check is stuck')), STUCK_AFTER_MS)
  try {
    const bytes = await readBody(request, work.bytesMax)
    if (!bytes) return refuse(response, 413, 'too-large')
    tell(response, await work.run(bytes), work.type)
  } finally {
    request.resume()
    clearTimeout(stuck)
    leave()
  }
}

async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    total += (chunk as Buffer).length
    if (total > bytesMax) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function tell(response: ServerResponse, verdict: ImageVerdict, type?: string): void {
  if (!verdict.accepted) {
    refuse(response, 422, verdict.fault)
    return
  }
  const { contentType, width, height, cleaned } = verdict
  const facts = { 'image-type': contentType, 'image-width': String(width), 'image-height': String(height) }
  const ofBody = { 'content-type': type ?? contentType, 'content-length': String(cleaned?.length) }
  if (cleaned) response.writeHead(200, { ...facts, ...ofBody })
  else response.writeHead(204, facts)
  response.end(cleaned)
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  const retry = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify({ reason }))
}

/** Memory of the decoder is outside the limits of the JavaScript heap. */
function watchMemory(server: Server, onFatal: (error: Error) => void): void {
  const look = () => {
    if (process.memoryUsage.rss() > MEMORY_BYTES_MAX)
      onFatal(new Error('the image check has grown too large'))
  }
  const watch = setInterval(look, MEMORY_LOOK_MS).unref()
  server.once('close', () => clearInterval(watch))
}
