import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What stands in front of the nodes, as a balancer does. */
export interface Proxy {
  url: string
  /** Where it leads from now on. */
  lead(nodes: readonly string[]): void
  /** How often the first node could not be reached, and the next one was asked. */
  retries(): number
  close(): Promise<void>
}

/**
 * Nothing of the request can have been done: no process listens, or the one that did has closed the connection before
 * it.
 */
const NEVER_BEGUN = new Set(['ECONNREFUSED'])

/**
 * One node after the other in turn, each request on a connection of its own. Where a node cannot be reached, the next
 * is asked, once; a connection that breaks later is answered 502, for what was done is unknown.
 */
export async function openProxy(nodes: readonly string[]): Promise<Proxy> {
  let led = nodes
  let turn = 0
  let retries = 0
  const pass = async (asked: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(asked)
    const [first = '', second = first] = [led[turn % led.length], led[(turn + 1) % led.length]]
    turn += 1
    let failure = await forward(first, asked, body, answer)
    if (failure && NEVER_BEGUN.has(failure)) {
      retries += 1
      failure = await forward(second, asked, body, answer)
    }
    if (!failure) return
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502, { 'x-failure': failure }).end()
  }
  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (now) => {
      led = now
    },
    retries: () => retries,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** @returns why there was no answer; undefined where it was passed on */
function forward(
  node: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown')
    const { connection: _own, ...passed } = headers
    const asking = request(new URL(url ?? '/', node), { method, headers: passed, agent: false })
    asking.on('error', fail)
    asking.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('error', fail)
      response.on('end', () => resolve(undefined))
    })
    asking.end(body)
  })
}
