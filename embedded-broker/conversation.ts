import { setImmediate } from 'node:timers/promises'
import { type CommandError, closings, errors } from './close-codes.ts'
import { type Connection, close, say, startPings, takePong, watchExpiry } from './connection.ts'
import { type Command, MalformedFrame, type StreamPosition } from './frames.ts'
import type { Streams } from './history.ts'
import type { Hub } from './hub.ts'
import { CHANNEL_LENGTH_MAX, type Namespaces } from './namespaces.ts'
import type { Reply, Subscribed } from './replies.ts'
import type { Tokens } from './tokens.ts'

/** What a subscribe proxy is asked, and what it answers. */
export interface SubscribeRequest {
  client: string
  user: string
  channel: string
  /** Of the connection's token. */
  meta: unknown
}
export type SubscribeVerdict = { result: object } | { error: { code: number; message: string } }

/** Whether tokens are void before they expire. */
export interface EndedTokens {
  /** By the claim `info`. Ask only after `current`. */
  has(info: unknown): boolean
  /** Resolves when `has` can be asked; undefined means at once. Rejects while the answer is unknown. */
  current(): Promise<void> | undefined
}

/** What every conversation shares. */
export interface Inside {
  hub: Hub
  streams: Streams
  tokens: Tokens
  namespaces: Namespaces
  judge: (request: SubscribeRequest) => SubscribeVerdict
  ended: EndedTokens
  now: () => Date
  version: string
  onFault: (error: unknown) => void
}

/** A frame of protobuf has room for 26,000: after so many of them the event loop turns. */
const COMMANDS_IN_A_ROW = 500

/** Works through one frame, command by command: the next begins when the one before is answered. */
export async function converse(inside: Inside, connection: Connection, frame: Buffer): Promise<void> {
  let count = 0
  try {
    for (const command of connection.speech.codec.commandsOf(frame)) {
      if (connection.state === 'closed') return
      const answering = obey(inside, connection, command)
      if (answering) await answering
      count += 1
      if (count % COMMANDS_IN_A_ROW === 0) await setImmediate()
    }
  } catch (error) {
    if (!(error instanceof MalformedFrame)) inside.onFault(error)
    close(connection, closings.badRequest)
  }
}

function obey(inside: Inside, connection: Connection, command: Command): Promise<void> | undefined {
  // a refused connect was the last word: the client hangs up, or is put out as stale
  if (connection.state === 'unusable') return
  if (connection.state === 'new') {
    if (command.method === 'connect') return connect(inside, connection, command)
    return close(connection, closings.badRequest) as undefined
  }
  switch (command.method) {
    case 'subscribe':
      return subscribe(inside, connection, command)
    case 'refresh':
      return refresh(inside, connection, command)
    case 'sub_refresh':
      return refreshSubscription(inside, connection, command)
    case 'unsubscribe':
      if (command.channel === '') break
      inside.hub.unsubscribe(connection, command.channel)
      return reply(connection, command.id, 'unsubscribe', {})
    case 'publish':
    case 'history':
    case 'presence':
    case 'presence_stats':
      if (command.channel === '') break
      return refuse(connection, command.id, notOffered(inside, command.method, command.channel))
    case 'rpc':
      return refuse(connection, command.id, errors.notAvailable)
    case 'send':
      return close(connection, closings.notAvailable) as undefined
    case 'pong':
      if (takePong(connection)) return
  }
  close(connection, closings.badRequest)
}

type Of<Method extends Command['method']> = Extract<Command, { method: Method }>

async function connect(inside: Inside, connection: Connection, command: Of<'connect'>): Promise<void> {
  if (command.token === '') return close(connection, closings.badRequest)
  const verified = await verifiedConnection(inside, command.token)
  if (connection.state !== 'new') return
  if (verified === 'invalid') return close(connection, closings.invalidToken)
  const refused = (error: CommandError) => {
    connection.state = 'unusable'
    refuse(connection, command.id, error)
  }
  if (verified === 'unknown') return refused(errors.internal)
  // from here to the hub without waiting: what ends from now on finds the connection there
  if (verified === 'expired' || inside.ended.has(verified.claims.info)) return refused(errors.tokenExpired)
  const { user, channels, meta, info, expiresAt } = verified.claims
  const { userConnectionsMax } = connection.limits
  if (userConnectionsMax > 0 && inside.hub.connectionsOf(user).size >= userConnectionsMax)
    return close(connection, closings.connectionLimit)
  const own = [...new Set(channels)].sort()
  if (own.length > connection.limits.channelsMax) return close(connection, closings.channelLimit)
  if (!own.every((channel) => inside.namespaces.of(channel))) return refused(errors.unknownChannel)

  Object.assign(connection, { state: 'connected', user, meta, info, tokenChannels: own, expiresAt })
  inside.hub.join(connection)
  const subs = own.map((channel) => {
    inside.hub.subscribe(connection, channel)
    return [channel, streamStateOf(inside, channel, command.subs.get(channel))]
  })
  watchExpiry(connection, inside.now)
  startPings(connection)
  reply(connection, command.id, 'connect', {
    client: connection.client,
    version: inside.version,
    ...expiryOf(expiresAt, inside.now),
    ...(subs.length > 0 ? { subs: Object.fromEntries(subs) } : {}),
    ...pingsOf(connection),
  })
}

/** What the client is told of pings: nothing where they are frames of the WebSocket, which answers by itself. */
function pingsOf({ speech, limits }: Connection): object {
  return speech.framePings ? {} : { ping: Math.ceil(limits.pingIntervalMs / 1_000), pong: true }
}

type VerifiedConnection = Awaited<ReturnType<Tokens['connection']>>

/** `unknown`: it cannot be known at the moment whether the token is void. */
async function verifiedConnection(inside: Inside, token: string): Promise<VerifiedConnection | 'unknown'> {
  try {
    await inside.ended.current()
  } catch (error) {
    inside.onFault(error)
    return 'unknown'
  }
  return await inside.tokens.connection(token)
}

function subscribe(
  inside: Inside,
  connection: Connection,
  command: Of<'subscribe'>,
): Promise<void> | undefined {
  const { id, channel } = command
  if (channel === '') return close(connection, closings.badRequest) as undefined
  const refused = (error: CommandError) => refuse(connection, id, error)
  if (channel.length > CHANNEL_LENGTH_MAX) return refused(errors.badRequest)
  if (connection.subscriptions.has(channel)) return refused(errors.alreadySubscribed)
  if (connection.subscriptions.size >= connection.limits.channelsMax) return refused(errors.limitExceeded)
  const fault = inside.namespaces.faultOf(channel)
  if (fault) return refused(fault)
  if (command.token !== '') return subscribeByToken(inside, connection, command)
  if (channel.startsWith('$') || !inside.namespaces.of(channel)?.proxied)
    return refused(errors.permissionDenied)
  const { client, user, meta } = connection
  const verdict = inside.judge({ client, user, channel, meta })
  if ('error' in verdict) return refused(verdict.error)
  admit(inside, connection, command)
}

async function subscribeByToken(
  inside: Inside,
  connection: Connection,
  command: Of<'subscribe'>,
): Promise<void> {
  const verified = await inside.tokens.subscription(command.token)
  if (connection.state === 'closed') return
  if (verified === 'expired') return refuse(connection, command.id, errors.tokenExpired)
  if (verified === 'invalid') return refuse(connection, command.id, errors.permissionDenied)
  const { user, channel, expiresAt } = verified.claims
  if (user !== connection.user) return close(connection, closings.invalidToken)
  if (channel !== command.channel) return refuse(connection, command.id, errors.permissionDenied)
  admit(inside, connection, command, expiresAt)
}

function admit(
  inside: Inside,
  connection: Connection,
  command: Of<'subscribe'>,
  expiresAt?: number,
): undefined {
  const { channel, since } = command
  if (since && command.rejectsUnrecovered && !inside.streams.recover(channel, since).recovered)
    return refuse(connection, command.id, errors.unrecoverablePosition)
  inside.hub.subscribe(connection, channel, expiresAt)
  reply(connection, command.id, 'subscribe', {
    ...expiryOf(expiresAt, inside.now),
    ...streamStateOf(inside, channel, since),
  })
}

async function refresh(inside: Inside, connection: Connection, command: Of<'refresh'>): Promise<void> {
  if (command.token === '') return close(connection, closings.badRequest)
  const verified = await verifiedConnection(inside, command.token)
  if (connection.state === 'closed') return
  if (verified === 'unknown') return refuse(connection, command.id, errors.internal)
  if (verified === 'invalid') return close(connection, closings.invalidToken)
  if (verified === 'expired' || inside.ended.has(verified.claims.info))
    return close(connection, closings.expired)
  const { user, channels, meta, info, expiresAt } = verified.claims
  if (user !== connection.user) return close(connection, closings.invalidToken)
  const own = [...new Set(channels)].sort()
  if (own.join() !== connection.tokenChannels.join()) return close(connection, closings.insufficientState)
  Object.assign(connection, { meta, info, expiresAt })
  watchExpiry(connection, inside.now)
  reply(connection, command.id, 'refresh', expiryOf(expiresAt, inside.now))
}

async function refreshSubscription(
  inside: Inside,
  connection: Connection,
  command: Of<'sub_refresh'>,
): Promise<void> {
  const { channel } = command
  if (channel === '') return close(connection, closings.badRequest)
  if (!connection.subscriptions.has(channel)) return refuse(connection, command.id, errors.permissionDenied)
  if (command.token === '') return close(connection, closings.badRequest)
  const verified = await inside.tokens.subscription(command.token)
  if (connection.state === 'closed') return
  if (verified === 'expired') return refuse(connection, command.id, errors.expired)
  if (verified === 'invalid') return close(connection, closings.invalidToken)
  if (verified.claims.user !== connection.user || verified.claims.channel !== channel)
    return close(connection, closings.invalidToken)
  if (connection.subscriptions.has(channel))
    inside.hub.subscribe(connection, channel, verified.claims.expiresAt)
  reply(connection, command.id, 'sub_refresh', expiryOf(verified.claims.expiresAt, inside.now))
}

/** What Centrifugo answers to what clients may not do. */
function notOffered(
  { namespaces }: Inside,
  method: 'publish' | 'history' | 'presence' | 'presence_stats',
  channel: string,
) {
  const namespace = namespaces.of(channel)
  if (!namespace) return errors.unknownChannel
  if (method === 'history' && namespace.historySize === 0) return errors.notAvailable
  if (method.startsWith('presence') && !namespace.presence) return errors.notAvailable
  return errors.permissionDenied
}

/** Where a new subscription stands, with what was missed since where the client stood. */
export function streamStateOf(
  { streams, namespaces }: Pick<Inside, 'streams' | 'namespaces'>,
  channel: string,
  since?: StreamPosition,
): Subscribed {
  if (!namespaces.of(channel)?.historySize) return {}
  if (!since) return { recoverable: true, ...positionOf(streams.top(channel)), positioned: true }
  const { recovered, publications, position } = streams.recover(channel, since)
  return {
    recoverable: true,
    ...positionOf(position),
    ...(publications.length > 0 ? { publications } : {}),
    ...(recovered ? { recovered } : {}),
    positioned: true,
    was_recovering: true,
  }
}

function positionOf({ epoch, offset }: StreamPosition): object {
  return { epoch, ...(offset > 0 ? { offset } : {}) }
}

export function expiryOf(expiresAt: number | undefined, now: () => Date): object {
  if (expiresAt === undefined) return {}
  return { expires: true, ttl: Math.max(1, expiresAt - Math.floor(now().getTime() / 1_000)) }
}

function reply(connection: Connection, id: number, method: string, result: object): undefined {
  say(connection, { id, [method]: result } as Reply)
}

function refuse(connection: Connection, id: number, error: CommandError): undefined {
  say(connection, { id, error })
}
