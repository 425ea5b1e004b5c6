import { closings, endings, errors } from './close-codes.ts'
import { encodedOnce } from './codec.ts'
import { type Connection, close, deliver, say, watchExpiry } from './connection.ts'
import { expiryOf, streamStateOf } from './conversation.ts'
import type { Publication, Streams } from './history.ts'
import type { Hub } from './hub.ts'
import type { Namespaces } from './namespaces.ts'

/** A command that was not understood, or not for something that exists: it will never be carried out. */
class UnusableCommand extends Error {}

export interface BrokerCommands {
  /**
   * Carries out one command in the form of Centrifugo's API, as rows of the outbox hold them.
   * @throws UnusableCommand
   */
  apply(method: string, payload: unknown): void
}

interface CommandsNeeds {
  hub: Hub
  streams: Streams
  namespaces: Namespaces
  now: () => Date
}

type Payload = Record<string, unknown>

/** How long the key of a publication is remembered: within it the same one is not published twice. */
const IDEMPOTENCY_MS = 5 * 60 * 1_000

/** What commands work on. */
interface Working extends CommandsNeeds {
  /** Keys of publications, and until when they are remembered: with one life all, the oldest are first. */
  readonly published: Map<string, number>
}

export function makeCommands(needs: CommandsNeeds): BrokerCommands & {
  /** Ends subscriptions that expired longer ago than this, and forgets old keys. */
  sweep(expiredGraceMs: number): void
} {
  const working: Working = { ...needs, published: new Map() }
  const { hub, now, published } = working
  return {
    apply(method, payload) {
      const command = Object.hasOwn(COMMANDS, method) ? COMMANDS[method] : undefined
      if (!command) throw new UnusableCommand('there is no such command')
      if (typeof payload !== 'object' || payload === null) throw new UnusableCommand('it has no payload')
      command(working, payload as Payload)
    },
    sweep(expiredGraceMs) {
      for (const [key, until] of published) {
        if (until > performance.now()) break
        published.delete(key)
      }
      const over = (now().getTime() - expiredGraceMs) / 1_000
      for (const connection of hub.withEndingSubscriptions()) {
        for (const [channel, expiresAt] of [...connection.subscriptions])
          if (expiresAt !== undefined && expiresAt < over)
            unsubscribe(hub, connection, channel, endings.expired)
      }
    },
  }
}

const COMMANDS: Record<string, (working: Working, payload: Payload) => void> = {
  publish: (working, payload) => publish(working, needed(payload, 'channel'), withData(payload)),
  broadcast,
  disconnect({ hub }, payload) {
    const reason = closeReasonOf(payload)
    for (const connection of connectionsFor(hub, payload)) close(connection, reason)
  },
  unsubscribe({ hub }, payload) {
    const channel = needed(payload, 'channel')
    for (const connection of connectionsFor(hub, payload))
      unsubscribe(hub, connection, channel, endings.byServer)
  },
  subscribe({ hub, streams, namespaces }, payload) {
    const channel = needed(payload, 'channel')
    if (!namespaces.of(channel)) throw new UnusableCommand(errors.unknownChannel.message)
    for (const connection of connectionsFor(hub, payload)) {
      if (connection.subscriptions.has(channel)) continue
      hub.subscribe(connection, channel)
      say(connection, { push: { channel, subscribe: streamStateOf({ streams, namespaces }, channel) } })
    }
  },
  refresh({ hub, now }, payload) {
    const expiresAt = numberOf(payload, 'expire_at')
    for (const connection of connectionsFor(hub, payload)) {
      if (payload.expired === true) close(connection, closings.expired)
      else if (expiresAt > 0) {
        connection.expiresAt = expiresAt
        watchExpiry(connection, now)
        say(connection, { push: { refresh: expiryOf(expiresAt, now) } })
      }
    }
  },
}

function publish({ hub, streams, namespaces, published }: Working, channel: string, payload: Payload): void {
  const namespace = namespaces.of(channel)
  if (!namespace) throw new UnusableCommand(errors.unknownChannel.message)
  if (isRepetition(published, channel, textOf(payload, 'idempotency_key'))) return
  const keeps = namespace.historySize > 0 && payload.skip_history !== true
  const version = numberOf(payload, 'version')
  if (keeps && version > 0 && !streams.takeVersion(channel, version, textOf(payload, 'version_epoch'))) return
  const limits = { size: namespace.historySize, ttlMs: namespace.historyTtlSeconds * 1_000 }
  const bare: Publication = { data: payload.data, ...tagsOf(payload) }
  const publication = keeps ? streams.append(channel, bare, limits) : bare
  const subscribers = hub.subscribersOf(channel)
  if (subscribers.size === 0) return
  const frameIn = encodedOnce({ push: { channel, pub: publication } })
  // one that is too slow leaves the set while we go through it
  for (const connection of [...subscribers]) deliver(connection, frameIn)
}

function broadcast(working: Working, payload: Payload): void {
  const { channels } = payload
  if (!Array.isArray(channels) || channels.length === 0) throw new UnusableCommand('channels are missing')
  const content = withData(payload)
  // one that does not exist takes nothing from the others
  const isUnknown = (channel: unknown) => typeof channel !== 'string' || !working.namespaces.of(channel)
  const unknown = channels.filter(isUnknown)
  for (const channel of channels) if (!unknown.includes(channel)) publish(working, channel, content)
  if (unknown.length > 0) throw new UnusableCommand(errors.unknownChannel.message)
}

function isRepetition(published: Working['published'], channel: string, key: string): boolean {
  if (key === '') return false
  const known = `${channel}\n${key}`
  const until = published.get(known)
  if (until !== undefined && until > performance.now()) return true
  published.delete(known)
  published.set(known, performance.now() + IDEMPOTENCY_MS)
  return false
}

function connectionsFor(hub: Hub, payload: Payload): Connection[] {
  const client = textOf(payload, 'client')
  const spared = Array.isArray(payload.whitelist) ? payload.whitelist : []
  return [...hub.connectionsOf(needed(payload, 'user'))].filter(
    (connection) => (client === '' || connection.client === client) && !spared.includes(connection.client),
  )
}

function unsubscribe(
  hub: Hub,
  connection: Connection,
  channel: string,
  ending: { code: number; reason: string },
): void {
  if (!connection.subscriptions.has(channel)) return
  hub.unsubscribe(connection, channel)
  say(connection, { push: { channel, unsubscribe: ending } })
}

function needed(payload: Payload, name: string): string {
  const value = textOf(payload, name)
  if (value === '') throw new UnusableCommand(`${name} is missing`)
  return value
}

function withData(payload: Payload): Payload {
  if (payload.data === undefined || payload.data === null) throw new UnusableCommand('data is missing')
  return payload
}

function closeReasonOf({ disconnect }: Payload): { code: number; reason: string } {
  if (typeof disconnect !== 'object' || disconnect === null) return closings.forceDisconnect
  const { code, reason } = disconnect as Payload
  if (typeof code !== 'number' || !(code >= 3000 && code < 5000))
    throw new UnusableCommand('the code is out of range')
  const text = typeof reason === 'string' ? reason.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 120) : ''
  // an empty reason would bring clients back whatever the code
  return { code, reason: text || 'disconnect' }
}

function tagsOf({ tags }: Payload): Pick<Publication, 'tags'> {
  return typeof tags === 'object' && tags !== null ? { tags: tags as Record<string, string> } : {}
}

function textOf(payload: Payload, name: string): string {
  const value = payload[name] ?? ''
  if (typeof value !== 'string') throw new UnusableCommand(`${name} is no text`)
  return value
}

function numberOf(payload: Payload, name: string): number {
  const value = payload[name] ?? 0
  if (typeof value !== 'number') throw new UnusableCommand(`${name} is not a number`)
  return value
}
