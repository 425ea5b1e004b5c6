import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Sample } from './benchmark.ts'
import { type Load, measured } from './load.ts'

const HEAD_END = '\r\n\r\n'
const LENGTH = 'content-length: '
const SILENCE_MS = 10_000

/**
 * As `applyLoad`, with a client that does next to nothing: the same bytes out again and again, and of what comes in the
 * status and the length. For contests against a client written in C (pgbench) on the same cores: autocannon takes 28 µs
 * of them for a request, this 15.
 */
export function applyBareLoad(load: Omit<Load, 'next'>): Promise<Sample> {
  return measured(load, (took) => askBarely(load, took))
}

/** The load of `applyBareLoad`, with nothing measured but how long each request took. */
export async function askBarely(
  load: Omit<Load, 'next' | 'pid'>,
  took: (milliseconds: number) => void,
): Promise<void> {
  const address = new URL(load.url)
  const requests = (load.clients ?? [load]).map((client) => requestOf({ ...load, ...client }, address))
  const end = performance.now() + load.seconds * 1_000
  const { connections } = load
  const clients = Array.from({ length: connections }, (_, n) => {
    const own = requests.filter((_request, at) => at % connections === n)
    return keepAsking(address, own.length > 0 ? own : requests, end, took)
  })
  await Promise.all(clients)
}

function requestOf(
  { method, headers = {}, body = '' }: Omit<Load, 'next' | 'pid'>,
  { host, pathname, search }: URL,
): Buffer {
  const all = { host, connection: 'keep-alive', ...headers, 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}

/** One connection, one request at a time, in turn. */
function keepAsking(
  { hostname, port }: URL,
  requests: readonly Buffer[],
  end: number,
  took: (milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let begun = 0
    let missing = 0
    let asked = 0
    const ask = () => {
      begun = performance.now()
      socket.write(requests[asked % requests.length] as Buffer)
      asked += 1
    }
    const callback = (bytes: number, buffer: Uint8Array) => {
      try {
        missing ||= lengthOf(buffer as Buffer, bytes)
        missing -= bytes
        assert(missing >= 0, 'more has come than was announced')
      } catch (error) {
        socket.destroy(error as Error)
        return false
      }
      if (missing > 0) return true
      const now = performance.now()
      took(now - begun)
      if (now < end) ask()
      else socket.destroy()
      return true
    }
    const onread = { buffer: Buffer.allocUnsafe(64 * 1024), callback }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    socket.once('connect', ask)
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('an answer did not come')))
    socket.once('error', reject)
    socket.once('close', () =>
      performance.now() < end ? reject(new Error('the connection was closed')) : resolve(),
    )
  })
}

/** Of a whole answer, of which the first part has come. @throws Error where it is not 200 or does not say its length */
function lengthOf(buffer: Buffer, bytes: number): number {
  const head = buffer.toString('latin1', 0, Math.min(bytes, 2_048))
  const headLength = head.indexOf(HEAD_END) + HEAD_END.length
  const at = head.indexOf(LENGTH)
  assert(
    head.startsWith('HTTP/1.1 200 ') && at > 0 && headLength > at,
    `an answer began with ${head.slice(0, 100)}`,
  )
  return headLength + Number.parseInt(head.slice(at + LENGTH.length), 10)
}
