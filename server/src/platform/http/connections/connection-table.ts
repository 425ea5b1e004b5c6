import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './connection-limits.ts'
import { isTakenOver } from './upgrades.ts'

export type RefusedReason = 'all' | 'address'

/** Which connections are open, their clients, and which of them wait for a request. */
export interface ConnectionTable {
  /**
   * Enters a new connection; another one is dropped for it where there is no room.
   * @param hasLimit whether its network has a limit of its own
   * @returns why there is no room; undefined where it was entered
   */
  take(socket: Socket, network: string, hasLimit: boolean): RefusedReason | undefined
  /** A request begins. @returns to be called when its answer is complete */
  wake(request: IncomingMessage): (() => void) | undefined
  open(): number
  /**
   * Closes the connections that carry nothing: those between two requests, and those that have not carried one for so
   * long since they were opened. A connection that is receiving its next request stays.
   */
  closeIdle(unusedForMs: number): void
}

interface Held {
  network: string
  since: number
  /** Requests that have no complete answer yet. */
  underWay: number
  isUsed: boolean
  /** Bytes received when its latest request and its answer were complete: more of them are the beginning of a request. */
  readAtRest: number
}

interface Network {
  open: number
  /** Without a request under way, the one that is so for longest first. */
  readonly idle: Set<Socket>
}

/** Every socket and every network, for the functions below. */
interface Connections {
  readonly limits: ConnectionLimits
  readonly onDropped: () => void
  readonly held: Map<Socket, Held>
  readonly networks: Map<string, Network>
  /** Those that never carried a request are dropped before those that wait for the next one. */
  readonly unused: Set<Socket>
  readonly idle: Set<Socket>
}

/** Every step takes the same time, however many there are. @param onDropped told of each that was closed to make room */
export function connectionTable(limits: ConnectionLimits, onDropped: () => void): ConnectionTable {
  const sets = { unused: new Set<Socket>(), idle: new Set<Socket>() }
  const connections: Connections = { limits, onDropped, held: new Map(), networks: new Map(), ...sets }
  const { held } = connections
  return {
    take(socket, network, hasLimit) {
      const reason = makeRoom(connections, network, hasLimit)
      if (!reason) enter(connections, socket, network)
      return reason
    },
    wake(request) {
      const { socket } = request
      const known = held.get(socket)
      if (!known) return undefined
      known.underWay += 1
      known.isUsed = true
      removeIdle(connections, socket, known)
      const measure = () => {
        known.readAtRest = socket.bytesRead
      }
      return () => {
        known.underWay -= 1
        measure()
        // answered before its body had come
        if (!request.complete) request.once('close', measure)
        if (known.underWay === 0 && held.has(socket)) addIdle(connections, socket, known)
      }
    },
    open: () => held.size,
    closeIdle(unusedForMs) {
      const old = performance.now() - unusedForMs
      for (const socket of sets.unused)
        if ((held.get(socket)?.since ?? 0) < old && !isTakenOver(socket)) socket.destroy()
      for (const socket of sets.idle)
        if (held.get(socket)?.readAtRest === socket.bytesRead && !isTakenOver(socket)) socket.destroy()
    },
  }
}

function enter(connections: Connections, socket: Socket, name: string): void {
  const { held, networks } = connections
  const network = networks.get(name) ?? { open: 0, idle: new Set() }
  networks.set(name, network)
  network.open += 1
  const known = { network: name, since: performance.now(), underWay: 0, isUsed: false, readAtRest: 0 }
  held.set(socket, known)
  addIdle(connections, socket, known)
  socket.once('close', () => forget(connections, socket))
}

function makeRoom(connections: Connections, name: string, hasLimit: boolean): RefusedReason | undefined {
  const { limits, held, networks, unused, idle } = connections
  const network = networks.get(name)
  const isFull = network && hasLimit && network.open >= limits.perAddress
  if (isFull && !dropOldest(connections, network.idle)) return 'address'
  if (held.size >= limits.all && !dropOldest(connections, unused, idle)) return 'all'
  return undefined
}

/** @returns whether there was one */
function dropOldest(connections: Connections, ...sets: ReadonlySet<Socket>[]): boolean {
  for (const sockets of sets)
    for (const socket of sockets) {
      const known = connections.held.get(socket)
      // a WebSocket by now, and never idle again
      if (known && isTakenOver(socket)) removeIdle(connections, socket, known)
      else {
        // its place is free at once
        forget(connections, socket)
        socket.destroy()
        connections.onDropped()
        return true
      }
    }
  return false
}

function forget(connections: Connections, socket: Socket): void {
  const { held, networks } = connections
  const known = held.get(socket)
  if (!known) return
  held.delete(socket)
  removeIdle(connections, socket, known)
  const network = networks.get(known.network)
  if (!network) return
  network.open -= 1
  if (network.open === 0) networks.delete(known.network)
}

function addIdle({ networks, unused, idle }: Connections, socket: Socket, { network, isUsed }: Held): void {
  networks.get(network)?.idle.add(socket)
  if (isUsed) idle.add(socket)
  else unused.add(socket)
}

function removeIdle({ networks, unused, idle }: Connections, socket: Socket, { network }: Held): void {
  networks.get(network)?.idle.delete(socket)
  unused.delete(socket)
  idle.delete(socket)
}
