import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Shot } from './place.ts'

export interface Sent {
  method: string
  /** With its query, encoded. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

/** Longer than PostgreSQL takes for a text that it does not break off. */
const ANSWER_WITHIN_MS = 90_000
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** A request on a connection that is kept: headers go out as they are. */
export function send(baseUrl: string, { method, path, headers = {}, body }: Sent): Shot {
  const { hostname, port } = new URL(baseUrl)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const asked = {
    agent,
    hostname,
    port,
    method,
    path,
    headers: { ...headers, ...length },
    timeout: ANSWER_WITHIN_MS,
  }
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(asked, (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode ?? 0 }))
        response.on('error', reject)
      })
      sent.on('timeout', () => sent.destroy(new Error(`${path}: no answer within ${ANSWER_WITHIN_MS} ms`)))
      // a body that is refused while it is sent: the answer may be there all the same
      sent.on('error', reject)
      sent.end(body)
    })
}

/** Text in the address. */
export function encoded(text: string): string {
  return encodeURIComponent(text)
}

/** Text as bytes of a header. */
export function asHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The broker lets frames of one person wait their turn. */
const FRAME_WITHIN_MS = 3_000
/** Sent behind a frame that may have no answer: frames are read in order, and this one is answered or the connection closed. */
const [LAST_ID, LAST] = ['999999', '{"id":999999,"rpc":{"method":"none"}}']

/** One frame on a realtime connection of its own. @param hello the frame that says who connects; none: it is the first */
export async function sendFrame(url: string, hello: string | undefined, frame: string): Promise<Shot> {
  const socket = new WebSocket(url)
  const answerWith = (part: string) =>
    new Promise<number>((resolve) => {
      socket.addEventListener('message', ({ data }) => String(data).includes(part) && resolve(0))
      socket.addEventListener('close', ({ code }) => resolve(code), { once: true })
    })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error(`${url} takes no connection`)), { once: true })
  })
  if (hello !== undefined) {
    const answer = answerWith('')
    socket.send(hello)
    const code = await answer
    if (code !== 0) throw new Error(`the connection was closed with ${code}`)
  }
  return async () => {
    const answer = answerWith(LAST_ID)
    socket.send(frame)
    socket.send(LAST)
    const status = await Promise.race([answer, pause(FRAME_WITHIN_MS, 0)])
    socket.close()
    return { status }
  }
}
