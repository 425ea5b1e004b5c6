import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { allowsOrigin } from '../../platform/http/origins/origins.ts'
import { type IdentityUserId, trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { settledWithin } from '../../platform/timing/pause.ts'
import { every } from '../../platform/timing/timer.ts'
import type { BrokerPort, ConnectionEnding } from '../../ports/broker.ts'
import { closings } from './close-codes.ts'
import { jsonCodec, protobufCodec } from './codec.ts'
import { COMMAND_PACE, type CommandPace, paceCommands, weightOf } from './command-pace.ts'
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
import { type Hub, makeHub } from './hub.ts'
import { verifyTokens } from './tokens.ts'

export interface EmbeddedBrokerOptions {
  /** Any of them has signed a connection token that is taken. */
  tokenKeys: readonly Uint8Array[]
  /** Origins whose browsers may connect; who sends none is no browser. */
  origins: readonly string[]
  /** Decides about subscriptions, as Centrifugo's subscribe proxy would be asked to. */
  judge: (request: SubscribeRequest) => SubscribeVerdict
  /** Which tokens are void before they expire. */
  ended: EndedTokens
  now: () => Date
  /** Told to clients when they connect. */
  version: string
  onFault: (error: unknown) => void
  /** Whether another node is the broker now: then nobody is let in here, where no event would reach them. */
  isHeldByAnotherNode?: () => boolean
  limits?: Partial<ConnectionLimits>
  pace?: CommandPace
}

/** A broker within this process, for one node: it speaks Centrifugo's client protocol and carries out its commands. */
export interface EmbeddedBroker extends BrokerPort, BrokerCommands {
  /** Takes over a socket that asked for a WebSocket, or refuses it in HTTP. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** How many clients are connected. */
  connectionsOpen(): number
  /** Sends everybody away for the moment: they come back, to whoever is the broker then. */
  sendAway(): void
  /** Sends everybody away, and resolves when they are gone or were cut off. */
  close(): Promise<void>
}

const ORGANIZATION_CHANNELS = 'org:'
const SWEEP_EVERY_MS = 30_000
/** How long a client may take to answer that the connection closes. */
const GOODBYE_MS = 5_000
const SHUTDOWN_MS = 1_000
const JSON_PROTOCOL = 'centrifuge-json'
const BINARY_PROTOCOL = 'centrifuge-protobuf'
const HELD_BY_ANOTHER_NODE = new Error('another node on this database is the broker')

export function openEmbeddedBroker(options: EmbeddedBrokerOptions): EmbeddedBroker {
  const limits = { ...CONNECTION_LIMITS, ...options.limits }
  const generation = randomUUID()
  const hub = makeHub()
  const streams = makeStreams(() => performance.now())
  const { judge, ended, now, version, onFault } = options
  const awaitTurn = paceCommands(options.pace ?? COMMAND_PACE)
  const tokens = verifyTokens(options.tokenKeys, now)
  const inside: Inside = { hub, streams, tokens, judge, ended, now, version, onFault }
  const commands = makeCommands({ hub, streams, now })
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: INCOMING_FRAME_BYTES_MAX,
    perMessageDeflate: false,
    closeTimeout: GOODBYE_MS,
    handleProtocols: (offered) => [JSON_PROTOCOL, BINARY_PROTOCOL].find((one) => offered.has(one)) ?? false,
  } as ConstructorParameters<typeof WebSocketServer>[0])
  const sweepAll = () => {
    streams.sweep()
    commands.sweep(limits.expiredGraceMs)
  }
  const sweep = every(SWEEP_EVERY_MS, sweepAll, onFault)
  const { isHeldByAnotherNode = () => false } = options
  const requireHere = () => {
    if (isHeldByAnotherNode())
      throw new ProviderFailure('embedded broker', 'answer', { retryable: true, cause: HELD_BY_ANOTHER_NODE })
  }
  const sendAway = () => {
    for (const connection of [...hub.all()]) close(connection, closings.shutdown)
  }
  let closing = false

  return {
    ...commands,
    async connectedUsers(organizations) {
      requireHere()
      const connected = organizations.map(
        (organization) =>
          [organization, usersOf(hub.subscribersOf(ORGANIZATION_CHANNELS + organization))] as const,
      )
      return { generation, connected: new Map(connected) }
    },
    async occupiedOrganizations() {
      requireHere()
      return [...hub.channels()]
        .filter((channel) => channel.startsWith(ORGANIZATION_CHANNELS))
        .map((channel) => trusted.identityOrganizationId(channel.slice(ORGANIZATION_CHANNELS.length)))
    },
    async endConnections(endings) {
      requireHere()
      return new Set(endings.filter((ending) => endConnectionsOf(hub, ending)))
    },
    async publish(channels, data) {
      requireHere()
      commands.apply('broadcast', { channels, data, skip_history: true })
    },
    async check() {
      requireHere()
    },
    acceptUpgrade(request, socket, head) {
      const refusal =
        closing || isHeldByAnotherNode() ? '503 Service Unavailable' : refusalOf(request, options.origins)
      if (refusal)
        return void socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      server.handleUpgrade(request, socket, head, (webSocket) => {
        attend({ inside, limits, awaitTurn }, webSocket, speechOf(request, webSocket))
      })
    },
    connectionsOpen: () => hub.all().size,
    sendAway,
    async close() {
      closing = true
      sweep.stop()
      sendAway()
      for (const socket of server.clients) socket.close(closings.shutdown.code, closings.shutdown.reason)
      // the timer of the race stays behind: not where there is nobody to wait for
      if (server.clients.size > 0) await settledWithin(SHUTDOWN_MS, allGone(server.clients))
      for (const socket of server.clients) socket.terminate()
    },
  }
}

interface Attendance {
  inside: Inside
  limits: ConnectionLimits
  awaitTurn: ReturnType<typeof paceCommands>
}

function attend({ inside, limits, awaitTurn }: Attendance, socket: WebSocket, speech: Speech): void {
  const { onFault, hub } = inside
  const connection = makeConnection(socket, limits, { speech, onEnd: hub.leave, onFault })
  const gone = new AbortController()
  let work: Promise<void> | undefined
  socket.on('message', (data: Buffer) => {
    // whatever comes while we are at it waits in the socket, not in our memory
    socket.pause()
    const mine = (work ?? Promise.resolve())
      .then(() => awaitTurn(connection, weightOf(data, speech.codec), gone.signal))
      .then(() => converse(inside, connection, data))
      .catch(onFault)
      .finally(() => {
        if (work === mine) socket.resume()
      })
    work = mine
  })
  if (speech.framePings) socket.on('pong', () => takePong(connection))
  socket.on('close', () => {
    gone.abort()
    end(connection)
  })
  // it closes itself with the fitting code
  socket.on('error', () => {})
  expectConnect(connection)
}

function refusalOf(request: IncomingMessage, origins: readonly string[]): string | undefined {
  const { origin } = request.headers
  return origin !== undefined && !allowsOrigin(origins, origin) ? '403 Forbidden' : undefined
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

/** @returns whether there were any */
function endConnectionsOf(hub: Hub, ending: ConnectionEnding): boolean {
  const ended = [...hub.connectionsOf(ending.user)].filter(({ info }) => ending.isOf(info))
  for (const connection of ended) close(connection, ending.disconnect)
  return ended.length > 0
}

function usersOf(connections: ReadonlySet<Connection>): Set<IdentityUserId> {
  const users = new Set<IdentityUserId>()
  for (const { user } of connections) if (user !== '') users.add(trusted.identityUserId(user))
  return users
}

async function allGone(sockets: Iterable<WebSocket>): Promise<void> {
  await Promise.all(
    [...sockets].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
  )
}
