import type { IncomingMessage } from 'node:http'

/** A name, IPv4 address or bracketed IPv6 address, with or without a port (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-fA-F:.]+\])(?::\d{0,5})?$/

/** The one that was good last: an office has few names. */
let lastGood: string | undefined

/**
 * Whether a request names one host, well formed (RFC 9112, 3.2). Where it names two, a proxy may have gone by the other
 * one. Before HTTP/1.1 it may name none.
 */
export function namesOneHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === '1.0'
  if (host !== lastGood && !HOST.test(host)) return false
  lastGood = host
  let named = 0
  // names and values in turn
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') named += 1
  }
  return named < 2
}
