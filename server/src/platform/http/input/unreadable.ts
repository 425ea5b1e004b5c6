import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { securityHeaders } from '../security-headers.ts'

/** Of answers that are given before there is a request. @param secure whether the office is reached by https */
export function bareHeaders(secure: boolean): Readonly<Record<string, string>> {
  return { ...securityHeaders(secure), 'cache-control': 'no-store' }
}

interface Told {
  error: string
  secure: boolean
  headers?: Readonly<Record<string, string>>
}

const UNREADABLE: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the body are too large'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
}

/** What is no HTTP, or does not come to an end: answered in the shape of every refusal, then hung up on. */
export function answerUnreadable(secure: boolean) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable && !isAnswering(socket)) {
      const [status, message] = UNREADABLE[error.code] ?? ['400 Bad Request', 'The request is malformed']
      socket.write(unreadableAnswer(status, message, { error: 'malformed-request', secure }))
    }
    socket.destroy()
  }
}

/** Whether an answer has begun on a connection: another one would be read as a part of it. Node names it nowhere else. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return answer?.headersSent === true
}

/** An answer in the shape of every refusal, as the text of a whole reply: for a connection that is hung up on. */
export function unreadableAnswer(status: string, message: string, told: Told): string {
  const { headers, body } = bareAnswer(Number.parseInt(status, 10), message, told)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n')
}

/** The same where Node has read the request. */
export function endUnread(response: ServerResponse, code: number, message: string, told: Told): void {
  const { headers, body } = bareAnswer(code, message, told)
  response.writeHead(code, headers).end(body)
}

function bareAnswer(code: number, message: string, { error, secure, headers = {} }: Told) {
  const body = JSON.stringify({ code, message, error })
  const all = {
    ...bareHeaders(secure),
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  return { headers: all, body }
}
