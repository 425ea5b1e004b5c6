import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type CloseReason, closings } from './close-codes.ts'
import { jsonCodec, protobufCodec } from './codec.ts'
import { COMMAND_PACE, type CommandPace, type CommandTurns, paceCommands, weightOf } from './command-pace.ts'
import { type BrokerCommands, makeCommands } from './commands.ts'
import {
  CONNECTION_LIMITS,
  type Connection,
  type ConnectionLimits,
  close,
  end,
  expectConnect,
  INCOMING_FRAME_BYTES_MAX,
  makeConnection,
  type Speech,
  takePong,
} from './connection.ts'
import {
  converse,
  type EndedTokens,
  type Inside,
  type SubscribeRequest,
  type SubscribeVerdict,
} from './conversation.ts'
import { makeStreams } from './history.ts'
import { makeHub } from './hub.ts'
import { makeNamespaces, type Namespace } from './namespaces.ts'
import { every } from './timers.ts'
import { verifyTokens } from './tokens.ts'

export interface EmbeddedBrokerOptions {
  /** Any of them has signed a connection token that is taken. */
  tokenKeys: readonly Uint8Array[]
  /** By the part of a channel's name before its first colon. */
  namespaces: Readonly<Record<string, Namespace>>
  /** Whether browsers of an origin may connect; a client that sends none is no browser. */
  allowsOrigin: (origin: string) => boolean
  /** Decides about subscriptions, as Centrifugo's subscribe proxy would be asked to. */
  judge: (request: SubscribeRequest) => SubscribeVerdict
  /** Which tokens are void before they expire. */
  ended: EndedTokens
  now: () => Date
  /** Told to clients when they connect. */
  version: string
  onFault: (error: unknown) => void
  /** Whether clients are refused for now, as where another process carries the publications. */
  isAway?: () => boolean
  limits?: Partial<ConnectionLimits>
  pace?: CommandPace
}

/** A broker within this process: it speaks Centrifugo's client protocol and carries out its commands. */
export interface EmbeddedBroker extends BrokerCommands {
  /** Differs between two lives of a broker: what an earlier one knew is forgotten. */
  generation: string
  /** Channels that have subscribers. */
  channels(): Iterable<string>
  /** Users who are subscribed to a channel, each once; a connection without a user is none. */
  usersOn(channel: string): Set<string>
  /** Closes connections of a user, told apart by the claim `info` of their tokens. @returns whether there were any */
  endConnections(user: string, isOf: (info: unknown) => boolean, reason: CloseReason): boolean
  /** Takes over a socket that asked for a WebSocket, or refuses it in HTTP. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** How many clients are connected. */
  connectionsOpen(): number
  /** Disconnects all clients for the moment; they reconnect to the node that is the broker then. */
  sendAway(): void
  /** Disconnects all clients, and resolves when each has closed or was cut off. */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 30_000
/** How long a client may take to answer that the connection closes. */
const GOODBYE_MS = 5_000
const SHUTDOWN_MS = 1_000
const JSON_PROTOCOL = 'centrifuge-json'
const BINARY_PROTOCOL = 'centrifuge-protobuf'

export function startEmbeddedBroker(options: EmbeddedBrokerOptions): EmbeddedBroker {
  const generation = randomUUID()
  const hub = makeHub()
  const streams = makeStreams(() => performance.now())
  const { judge, ended, now, version, onFault, isAway = () => false } = options
  const limits = { ...CONNECTION_LIMITS, ...options.limits }
  const turns = paceCommands(options.pace ?? COMMAND_PACE)
  const namespaces = makeNamespaces(options.namespaces)
  const tokens = verifyTokens(options.tokenKeys, now)
  const inside: Inside = { hub, streams, tokens, namespaces, judge, ended, now, version, onFault }
  const commands = makeCommands({ hub, streams, namespaces, now })
  const server = webSocketServer()
  const sweepAll = () => {
    streams.sweep()
    turns.sweep()
    commands.sweep(limits.expiredGraceMs)
  }
  const sweep = every(SWEEP_EVERY_MS, sweepAll, onFault)
  const sendAway = () => void closeAll([...hub.all()], closings.shutdown)
  let closing = false

  return {
    ...commands,
    generation,
    channels: hub.channels,
    usersOn: (channel) => usersOf(hub.subscribersOf(channel)),
    endConnections(user, isOf, reason) {
      return closeAll(
        [...hub.connectionsOf(user)].filter(({ info }) => isOf(info)),
        reason,
      )
    },
    acceptUpgrade(request, socket, head) {
      const isClosed = closing || isAway()
      const refusal = isClosed ? '503 Service Unavailable' : refusalOf(request, options.allowsOrigin)
      if (refusal) return refuse(socket, refusal)
      server.handleUpgrade(request, socket, head, (webSocket) => {
        attend({ inside, limits, turns }, webSocket, speechOf(request, webSocket))
      })
    },
    connectionsOpen: () => hub.all().size,
    sendAway,
    async close() {
      closing = true
      sweep.stop()
      sendAway()
      await endClients(server)
    },
  }
}

function webSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload: INCOMING_FRAME_BYTES_MAX,
    perMessageDeflate: false,
    closeTimeout: GOODBYE_MS,
    handleProtocols: (offered) => [JSON_PROTOCOL, BINARY_PROTOCOL].find((one) => offered.has(one)) ?? false,
  } as ConstructorParameters<typeof WebSocketServer>[0])
}

/** @returns whether there were any */
function closeAll(connections: readonly Connection[], reason: CloseReason): boolean {
  for (const connection of connections) close(connection, reason)
  return connections.length > 0
}

/** Each has so long to close by itself. */
async function endClients({ clients }: WebSocketServer): Promise<void> {
  for (const socket of clients) socket.close(closings.shutdown.code, closings.shutdown.reason)
  await goneWithin(SHUTDOWN_MS, clients)
  for (const socket of clients) socket.terminate()
}

interface Attendance {
  inside: Inside
  limits: ConnectionLimits
  turns: CommandTurns
}

function attend({ inside, limits, turns }: Attendance, socket: WebSocket, speech: Speech): void {
  const { onFault, hub } = inside
  const gone = new AbortController()
  const onEnd = (ended: Connection) => {
    // a paused socket is read on, or the client's answer to the close frame would wait behind its commands
    gone.abort()
    hub.leave(ended)
  }
  const connection = makeConnection(socket, limits, { speech, onEnd, onFault })
  let work: Promise<void> | undefined
  socket.on('message', (data: Buffer) => {
    // whatever comes while we are at it waits in the socket, not in our memory
    socket.pause()
    const mine = (work ?? Promise.resolve())
      .then(() => turns.await(connection, weightOf(data, speech.codec), gone.signal))
      .then(() => converse(inside, connection, data))
      .catch(onFault)
      .finally(() => {
        if (work === mine) socket.resume()
      })
    work = mine
  })
  if (speech.framePings) socket.on('pong', () => takePong(connection))
  socket.on('close', () => end(connection))
  // it closes itself with the fitting code
  socket.on('error', () => {})
  expectConnect(connection)
}

function refuse(socket: Duplex, status: string): void {
  // nothing else listens here any more: a client that hangs up meanwhile would end the program
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function refusalOf(
  request: IncomingMessage,
  allowsOrigin: EmbeddedBrokerOptions['allowsOrigin'],
): string | undefined {
  const { origin } = request.headers
  if (!URL.canParse(request.url ?? '/', 'http://localhost')) return '400 Bad Request'
  return origin !== undefined && !allowsOrigin(origin) ? '403 Forbidden' : undefined
}

/** As Centrifugo's clients ask for it, in the query or by the subprotocol. */
function speechOf(request: IncomingMessage, { protocol }: WebSocket): Speech {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const wanted = [query.get('cf_protocol'), query.get('format')]
  const isBinary = protocol === BINARY_PROTOCOL || wanted.includes('protobuf')
  return {
    codec: isBinary ? protobufCodec : jsonCodec,
    framePings: query.get('cf_ws_frame_ping_pong') === 'true',
  }
}

function usersOf(connections: ReadonlySet<Connection>): Set<string> {
  const users = new Set<string>()
  for (const { user } of connections) if (user !== '') users.add(user)
  return users
}

/** Resolves when all sockets are closed, or after so long. */
async function goneWithin(ms: number, sockets: Iterable<WebSocket>): Promise<void> {
  const over = AbortSignal.timeout(ms)
  await Promise.all(
    [...sockets].map((socket) => once(socket, 'close', { signal: over }).catch(() => undefined)),
  )
}
