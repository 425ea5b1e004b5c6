import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../log.ts'
import { after } from '../../timing/timer.ts'
import { unreadableAnswer } from '../input/unreadable.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { type ConnectionTable, connectionTable, type RefusedReason } from './connection-table.ts'
import { networkOf } from './network-address.ts'

export type { RefusedReason } from './connection-table.ts'

export interface ConnectionsOptions {
  limits: ConnectionLimits
  /** Whether many people may stand behind an address: it has no limit of its own. */
  isProxy: (address: string) => boolean
  log: Pick<Log, 'warn'>
  /** Whether the office is reached by https. */
  secure: boolean
  onRefused?: (reason: RefusedReason) => void
  /** One that carried nothing was closed to make room. */
  onDropped?: () => void
}

/** The connections of clients to a server, those of WebSockets included. */
export type Connections = Pick<ConnectionTable, 'open'>

/** How long a refused client may take to read why. */
const REFUSED_READS_WITHIN_MS = 1_000
/** More than these at a time are cut off without a word. */
const REFUSED_AT_A_TIME = 16
const TELL_EVERY_MS = 60_000
/** A connection as young as this may have its first request still under way. */
const FIRST_REQUEST_WITHIN_MS = 500
/** The answer for a missing file has eleven: Fastify adds two for each of its streams and handlers. Node warns from there on. */
const RESPONSE_LISTENERS_MAX = 20
const REFUSAL = [
  '503 Service Unavailable',
  'This server has as many connections as it can hold; try again in a moment',
] as const

/**
 * Holds as many connections as there is room for: a process that may open no more files can neither reach its database
 * nor answer clients. Where there is none, the connection that has carried no request for longest makes room; where all
 * are busy, the new one is refused. One network never takes what is left for all others.
 */
export function holdConnections(server: HttpServer, options: ConnectionsOptions): Connections {
  const { isProxy, onDropped = () => {} } = options
  const table = connectionTable(options.limits, onDropped)
  const refuse = refuser(options)

  // Node's own listener reads requests: no refused connection must come to it.
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // It is gone already, and hears no answer: nothing is begun for whom no budget is known.
    if (address === undefined) return void socket.destroy()
    const reason = table.take(socket, networkOf(address), !isProxy(address))
    if (reason) return refuse(socket, reason)
    for (const listener of listeners) listener.call(server, socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const rest = table.wake(request)
    if (rest) response.once('close', rest)
    response.setMaxListeners(RESPONSE_LISTENERS_MAX)
  })
  // Node's own, which closing calls too, takes a connection that is about to ask for an idle one
  server.closeIdleConnections = () => table.closeIdle(FIRST_REQUEST_WITHIN_MS)
  // without a listener, a connection that cannot be taken would end the process
  server.on('error', (err) => {
    // before it listens, the caller of `listen` gets the error
    if (server.listening) options.log.warn({ err }, 'the server could not take a connection')
  })
  return table
}

function refuser({ log, secure, onRefused = () => {} }: ConnectionsOptions) {
  const headers = { 'retry-after': '5' }
  const refusal = unreadableAnswer(...REFUSAL, { error: 'unavailable', secure, headers })
  let reading = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return (socket: Socket, reason: RefusedReason) => {
    onRefused(reason)
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now()
      log.warn({ reason, network: networkOf(socket.remoteAddress ?? '') }, TOLD[reason])
    }
    socket.on('error', () => {})
    if (reading >= REFUSED_AT_A_TIME) return void socket.destroy()
    reading += 1
    const cutOff = () => socket.destroy()
    const late = after(REFUSED_READS_WITHIN_MS, cutOff, cutOff)
    socket.once('close', () => {
      reading -= 1
      late.stop()
    })
    socket.resume()
    socket.end(refusal)
  }
}

const TOLD: Record<RefusedReason, string> = {
  all: 'connections are refused: this node holds as many as it may. Raise the limit of open files (LimitNOFILE, ulimit -n), or CONNECTIONS_MAX',
  address:
    'connections are refused: one address holds as many as it may. Where it is a proxy of yours, name it in TRUST_PROXY; else see CONNECTIONS_PER_ADDRESS',
}
