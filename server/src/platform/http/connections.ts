import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { after } from '../background/timer.ts'
import type { Log } from '../log.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { networkOf } from './network-address.ts'
import { unreadableAnswer } from './unreadable.ts'
import { isTakenOver } from './upgrades.ts'

export type RefusedReason = 'all' | 'address'

export interface ConnectionsOptions {
  limits: ConnectionLimits
  /** Whether many people may stand behind an address: it has no limit of its own. */
  isProxy: (address: string) => boolean
  log: Pick<Log, 'warn'>
  onRefused?: (reason: RefusedReason) => void
  /** One that carried nothing was closed to make room. */
  onDropped?: () => void
}

/** The connections of clients to a server, those of WebSockets included. */
export interface Connections {
  open(): number
  /** Closes those that have not carried a request for so long since they were opened. */
  closeUnused(olderThanMs: number): void
}

interface Held {
  network: string
  since: number
  /** Requests that have no complete answer yet. */
  underWay: number
  isUsed: boolean
}

interface Network {
  open: number
  /** Without a request under way, the one that is so for longest first. */
  readonly idle: Set<Socket>
}

/** How long whoever is refused may take to read why. */
const REFUSED_READS_WITHIN_MS = 1_000
/** More than these at a time are cut off without a word. */
const REFUSED_AT_A_TIME = 16
const TELL_EVERY_MS = 60_000
const REFUSAL = unreadableAnswer(
  '503 Service Unavailable',
  'This server has as many connections as it can hold; try again in a moment',
  { error: 'unavailable', headers: { 'retry-after': '5' } },
)

/**
 * Holds as many connections as there is room for: a process that may open no more files can neither reach its database
 * nor answer anybody. Where there is none, the connection that has carried no request for longest makes room; where all
 * are busy, the new one is refused. One network never takes what is left for all others.
 */
export function holdConnections(server: HttpServer, options: ConnectionsOptions): Connections {
  const { limits, isProxy, onDropped = () => {}, onRefused = () => {} } = options
  const held = new Map<Socket, Held>()
  const networks = new Map<string, Network>()
  /** Those that never carried a request are dropped before those that wait for the next one. */
  const [unused, idle] = [new Set<Socket>(), new Set<Socket>()]
  const refuse = refuser(options.log, onRefused)

  const rest = (socket: Socket, { network, isUsed }: Held) => {
    networks.get(network)?.idle.add(socket)
    ;(isUsed ? idle : unused).add(socket)
  }
  const wake = (socket: Socket, { network }: Held) => {
    networks.get(network)?.idle.delete(socket)
    unused.delete(socket)
    idle.delete(socket)
  }
  const forget = (socket: Socket) => {
    const known = held.get(socket)
    if (!known) return
    held.delete(socket)
    wake(socket, known)
    const network = networks.get(known.network)
    if (!network) return
    network.open -= 1
    if (network.open === 0) networks.delete(known.network)
  }
  const oldestOf = (sockets: ReadonlySet<Socket>): Socket | undefined => {
    for (const socket of sockets) {
      if (!isTakenOver(socket)) return socket
      const known = held.get(socket)
      // never at rest again
      if (known) wake(socket, known)
    }
    return undefined
  }
  const drop = (socket: Socket) => {
    // its descriptor is free at once, its place too
    forget(socket)
    socket.destroy()
    onDropped()
  }
  /** @returns why there is no room */
  const makeRoom = (network: Network, hasLimit: boolean): RefusedReason | undefined => {
    if (hasLimit && network.open >= limits.perAddress) {
      const oldest = oldestOf(network.idle)
      if (!oldest) return 'address'
      drop(oldest)
    }
    if (held.size < limits.all) return undefined
    const oldest = oldestOf(unused) ?? oldestOf(idle)
    if (!oldest) return 'all'
    drop(oldest)
    return undefined
  }
  const admit = (socket: Socket): boolean => {
    const address = socket.remoteAddress
    // gone before we came to it
    if (address === undefined) return true
    const name = networkOf(address)
    const network = networks.get(name) ?? { open: 0, idle: new Set() }
    const reason = makeRoom(network, !isProxy(address))
    if (reason) {
      refuse(socket, reason)
      return false
    }
    const known = { network: name, since: performance.now(), underWay: 0, isUsed: false }
    // not before: what was dropped may have been the last of this network
    networks.set(name, network)
    network.open += 1
    held.set(socket, known)
    rest(socket, known)
    socket.once('close', () => forget(socket))
    return true
  }

  // Node's own listener reads requests: nobody who is refused must come to it.
  const [serve, ...others] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!admit(socket)) return
    for (const listener of [serve, ...others]) listener?.call(server, socket)
  })
  // without a listener, a connection that cannot be taken would end the process
  server.on('error', (err) => options.log.warn({ err }, 'the server could not take a connection'))
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const known = held.get(socket)
    if (!known) return
    known.underWay += 1
    known.isUsed = true
    wake(socket, known)
    response.once('close', () => {
      known.underWay -= 1
      if (known.underWay === 0 && held.has(socket)) rest(socket, known)
    })
  })
  return {
    open: () => held.size,
    closeUnused(olderThanMs) {
      const old = performance.now() - olderThanMs
      for (const socket of unused)
        if ((held.get(socket)?.since ?? 0) < old && !isTakenOver(socket)) socket.destroy()
    },
  }
}

function refuser(log: Pick<Log, 'warn'>, onRefused: (reason: RefusedReason) => void) {
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
    const late = after(
      REFUSED_READS_WITHIN_MS,
      () => socket.destroy(),
      () => {},
    )
    socket.once('close', () => {
      reading -= 1
      late.stop()
    })
    socket.resume()
    socket.end(REFUSAL)
  }
}

const TOLD: Record<RefusedReason, string> = {
  all: 'connections are refused: this node holds as many as it may. Raise the limit of open files (LimitNOFILE, ulimit -n), or CONNECTIONS_MAX',
  address:
    'connections are refused: one address holds as many as it may. Where it is a proxy of yours, name it in TRUST_PROXY; else see CONNECTIONS_PER_ADDRESS',
}
