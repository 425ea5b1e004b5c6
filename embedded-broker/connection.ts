import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { type CloseReason, closings } from './close-codes.ts'
import type { Codec } from './codec.ts'
import type { Reply } from './replies.ts'
import { after, type Timer } from './timers.ts'

export interface ConnectionLimits {
  pingIntervalMs: number
  pongTimeoutMs: number
  /** A connection that has not said who it is within this is closed. */
  staleAfterMs: number
  /** How long after its token expired a connection may still bring another. */
  expiredGraceMs: number
  /** What a client has not read yet; beyond it the connection is closed as slow. */
  outgoingBytesMax: number
  /** Channels of one connection, those from its token included. */
  channelsMax: number
  /** Connections of one user at the same time; 0: no limit. */
  userConnectionsMax: number
}

/** Centrifugo's own numbers, but for those of `channelsMax` and `userConnectionsMax`. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  pingIntervalMs: 25_000,
  pongTimeoutMs: 8_000,
  staleAfterMs: 10_000,
  expiredGraceMs: 25_000,
  outgoingBytesMax: 1024 * 1024,
  channelsMax: 512,
  userConnectionsMax: 20,
}

/**
 * A client that comes back asks in one frame for all channels that it had: `channelsMax` of them, with where it stood in
 * each, take 78 KiB with ids of ours and 119 KiB with the longest that there may be. Centrifugo takes 64 KiB if not told.
 */
export const INCOMING_FRAME_BYTES_MAX = 128 * 1024

export type ConnectionState = 'new' | 'connected' | 'unusable' | 'closed'

/** How a client speaks. */
export interface Speech {
  codec: Codec
  /** Whether pings are frames of the WebSocket, and no replies: the client has asked for it. */
  framePings: boolean
}

/** One client's connection: what is known of it, and the two things that can be done to it. */
export interface Connection {
  readonly client: string
  state: ConnectionState
  user: string
  meta: unknown
  /** Of its token. */
  info: unknown
  /** The channels of its token, sorted: a refreshed token must have the same. */
  tokenChannels: readonly string[]
  /** Unix seconds; undefined: never. */
  expiresAt: number | undefined
  /** Channel → when the subscription expires (Unix seconds), undefined: never. */
  readonly subscriptions: Map<string, number | undefined>
  isPongAwaited: boolean
  /** Replies not yet handed to the socket: those of one turn travel in one frame. */
  readonly replies: (string | Uint8Array)[]
  readonly timers: Partial<Record<'ping' | 'pong' | 'expiry' | 'stale', Timer>>
  readonly socket: WebSocket
  readonly speech: Speech
  readonly limits: ConnectionLimits
  /** Runs once when the connection has ended, whichever side ended it. */
  onEnd: (connection: Connection) => void
  /** Told of what fails in a timer. */
  onFault: (error: unknown) => void
}

export function makeConnection(
  socket: WebSocket,
  limits: ConnectionLimits,
  { speech, onEnd, onFault }: Pick<Connection, 'speech' | 'onEnd' | 'onFault'>,
): Connection {
  return {
    client: randomUUID(),
    state: 'new',
    user: '',
    meta: undefined,
    info: undefined,
    tokenChannels: [],
    expiresAt: undefined,
    subscriptions: new Map(),
    isPongAwaited: false,
    replies: [],
    timers: {},
    socket,
    speech,
    limits,
    onEnd,
    onFault,
  }
}

/** Sends one reply, together with the others of this turn. */
export function say(connection: Connection, reply: Reply): void {
  if (connection.state === 'closed') return
  if (connection.replies.push(connection.speech.codec.encode(reply)) === 1)
    queueMicrotask(() => flush(connection))
}

/** Sends what is the same for many, without encoding it for each. Keeps the order with what was said before. */
export function deliver(connection: Connection, frameIn: (codec: Codec) => Buffer): void {
  if (connection.state === 'closed') return
  flush(connection)
  write(connection, frameIn(connection.speech.codec))
}

/** Closes a connection with a reason, after everything that was said to it. */
export function close(connection: Connection, { code, reason }: CloseReason): void {
  if (connection.state === 'closed') return
  flush(connection)
  // the flush may have found it too slow
  if (isOver(connection)) return
  end(connection)
  connection.socket.close(code, reason)
}

/** Lets go of everything that belongs to a connection. Its socket may be closing still. */
export function end(connection: Connection): void {
  if (connection.state === 'closed') return
  connection.state = 'closed'
  connection.replies.length = 0
  for (const timer of Object.values(connection.timers)) timer.stop()
  connection.onEnd(connection)
}

/** Closes the connection unless it says who it is in time. */
export function expectConnect(connection: Connection): void {
  const closeStale = () => {
    if (connection.state !== 'connected') close(connection, closings.stale)
  }
  connection.timers.stale = after(connection.limits.staleAfterMs, closeStale, connection.onFault)
}

/** Pings the client at intervals. The first ping waits a random time, so that not all clients answer at once. */
export function startPings(connection: Connection): void {
  const { onFault } = connection
  const { pingIntervalMs, pongTimeoutMs } = connection.limits
  const ping = () => {
    connection.isPongAwaited = true
    if (connection.speech.framePings) connection.socket.ping()
    else say(connection, {})
    connection.timers.pong = after(pongTimeoutMs, () => close(connection, closings.noPong), onFault)
    connection.timers.ping = after(pingIntervalMs, ping, onFault)
  }
  connection.timers.ping = after(pingIntervalMs * (0.5 + Math.random() / 2), ping, onFault)
}

/** Records a pong. Returns false where the server has sent no ping. */
export function takePong(connection: Connection): boolean {
  if (!connection.isPongAwaited) return false
  connection.isPongAwaited = false
  connection.timers.pong?.stop()
  return true
}

const TIMER_MAX_MS = 2 ** 31 - 1

/** Closes the connection some time after its token expired, unless it has brought another by then. */
export function watchExpiry(connection: Connection, now: () => Date): void {
  connection.timers.expiry?.stop()
  const { expiresAt, limits } = connection
  if (expiresAt === undefined) return
  const left = expiresAt * 1_000 + limits.expiredGraceMs - now().getTime()
  const closeExpired = () => {
    if (left <= TIMER_MAX_MS) close(connection, closings.expired)
    else watchExpiry(connection, now)
  }
  const inMs = Math.max(0, Math.min(left, TIMER_MAX_MS))
  connection.timers.expiry = after(inMs, closeExpired, connection.onFault)
}

function isOver(connection: Connection): boolean {
  return connection.state === 'closed'
}

function flush(connection: Connection): void {
  const { replies, speech } = connection
  if (replies.length === 0) return
  const frame = speech.codec.join(replies)
  replies.length = 0
  write(connection, frame)
}

function write(connection: Connection, frame: string | Uint8Array): void {
  const { socket, limits, speech } = connection
  socket.send(frame, { binary: speech.codec.isBinary })
  if (socket.bufferedAmount <= limits.outgoingBytesMax) return
  end(connection)
  socket.close(closings.slow.code, closings.slow.reason)
}
