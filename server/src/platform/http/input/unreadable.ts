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

/** An answer in the shape of every refusal, as the text of a whole reply: for a connection that is hung up on. */
export function unreadableAnswer(
  status: string,
  message: string,
  { error, secure, headers = {} }: Told,
): string {
  const body = JSON.stringify({ code: Number.parseInt(status, 10), message, error })
  const all = {
    ...bareHeaders(secure),
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n')
}
