/** Of answers that are given before there is a request. */
export const BARE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** An answer in the shape of every refusal, as the text of a whole reply: for a connection that is hung up on. */
export function unreadableAnswer(
  status: string,
  message: string,
  { error, headers = {} }: { error: string; headers?: Readonly<Record<string, string>> },
): string {
  const body = JSON.stringify({ code: Number.parseInt(status, 10), message, error })
  const all = {
    ...BARE_HEADERS,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n')
}
