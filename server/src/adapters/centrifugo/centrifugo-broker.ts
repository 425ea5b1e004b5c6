import Type, { type Static } from 'typebox'
import { type IdentityOrganizationId, type IdentityUserId, trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { BrokerPort, ConnectionEnding } from '../../ports/broker.ts'
import { type CentrifugoApi, type CentrifugoApiOptions, centrifugoApi } from './api.ts'

/**
 * Organizations asked about in one request. A thousand took 10 ms on one node; on Redis each is a call of its own,
 * and a request that fails fails for all of its organizations.
 */
const BATCH_SIZE = 500
const ORGANIZATION_CHANNELS = 'org:'
/** In a namespace with history, never subscribed to and never published on. Its epoch is that of the stored data. */
const CANARY_CHANNEL = 'org:canary'

/** For what cannot be told from a connection of this moment: the client comes back with another token, where it gets one. */
const STATE_INVALIDATED = { code: 3014, reason: 'state invalidated' }

const Failed = Type.Object({ error: Type.Object({ code: Type.Integer() }) })
const Presence = Type.Object({
  presence: Type.Object({
    presence: Type.Record(
      Type.String(),
      Type.Object({ user: Type.Optional(Type.String()), conn_info: Type.Optional(Type.Unknown()) }),
    ),
  }),
})
const Batch = Type.Object({ replies: Type.Array(Type.Union([Failed, Presence])) })
const Disconnected = Type.Object({ disconnect: Type.Object({}) })
const Disconnects = Type.Object({ replies: Type.Array(Type.Union([Failed, Disconnected])) })
const Published = Type.Object({ result: Type.Object({}) })
const Info = Type.Object({
  result: Type.Object({ nodes: Type.Array(Type.Object({ uid: Type.String() }), { minItems: 1 }) }),
})
const Channels = Type.Object({
  result: Type.Object({ channels: Type.Record(Type.String(), Type.Unknown()) }),
})
const History = Type.Object({ result: Type.Object({ epoch: Type.String({ minLength: 1 }) }) })

/**
 * Centrifugo as our broker. It reads the outbox and asks the subscribe proxy by itself; what is left to ask it for is
 * who is connected, to close connections, and to carry what is kept nowhere. Only `presence` tells who is: `channels` and
 * `info` count one node alone while Redis is away, and so `channels` says no more than whom to ask about.
 */
export function centrifugoBroker(options: CentrifugoApiOptions): BrokerPort {
  const api = centrifugoApi(options)
  return {
    async connectedUsers(organizations) {
      const before = await generationOf(api)
      const batches = chunksOf(organizations, BATCH_SIZE)
      const connected = new Map<IdentityOrganizationId, Set<IdentityUserId>>()
      // one after the other: this is never urgent, and what clients wait for goes first
      for (const batch of batches) {
        const users = (await presenceOf(api, batch)).map(usersOf)
        for (const [index, organization] of batch.entries())
          connected.set(organization, users[index] ?? new Set())
      }
      const generation = await generationOf(api)
      if (generation !== before) throw failure('presence', 'its memory changed while it was asked')
      return { generation, connected }
    },
    async occupiedOrganizations() {
      const { result } = await api.call('channels', { pattern: `${ORGANIZATION_CHANNELS}*` }, Channels)
      return Object.keys(result.channels).map((channel) =>
        trusted.identityOrganizationId(channel.slice(ORGANIZATION_CHANNELS.length)),
      )
    },
    async endConnections(endings) {
      const organizations = [...new Set(endings.flatMap(({ organization }) => organization ?? []))]
      const ended = new Set<ConnectionEnding>()
      for (const batch of chunksOf(organizations, BATCH_SIZE)) {
        const present = await presenceOf(api, batch)
        const commands = batch.flatMap((organization, index) => {
          const here = endings.filter((ending) => ending.organization === organization)
          return commandsFor(present[index] ?? {}, here, ended)
        })
        await disconnect(api, commands)
      }
      const users = new Set(endings.filter(({ ofAll }) => ofAll).map(({ user }) => user))
      await disconnect(
        api,
        [...users].map((user) => ({ user, disconnect: STATE_INVALIDATED })),
      )
      return ended
    },
    async publish(channels, data) {
      await api.call('broadcast', { channels, data, skip_history: true }, Published)
    },
    async check() {
      await api.call('info', {}, Info)
    },
  }
}

/** The set of nodes and the life of the stored data: when neither changed, no presence was forgotten in between. */
async function generationOf(api: CentrifugoApi): Promise<string> {
  const [info, canary] = await Promise.all([
    api.call('info', {}, Info),
    api.call('history', { channel: CANARY_CHANNEL, limit: 0 }, History),
  ])
  const nodes = info.result.nodes.map(({ uid }) => uid).sort()
  return [...nodes, canary.result.epoch].join(' ')
}

/** The connections of an organization by their ids. */
type Present = Static<typeof Presence>['presence']['presence']

async function presenceOf(
  api: CentrifugoApi,
  organizations: readonly IdentityOrganizationId[],
): Promise<Present[]> {
  const commands = organizations.map((organization) => ({
    presence: { channel: ORGANIZATION_CHANNELS + organization },
  }))
  const { replies } = await api.call('batch', { commands, parallel: true }, Batch)
  if (replies.length !== organizations.length)
    throw failure('presence', `${replies.length} replies to ${organizations.length} questions`)
  return replies.map((reply) => {
    if ('error' in reply) throw failure('presence', `error ${reply.error.code}`)
    return reply.presence.presence
  })
}

function usersOf(present: Present): Set<IdentityUserId> {
  const users = new Set<IdentityUserId>()
  for (const { user } of Object.values(present)) if (user) users.add(trusted.identityUserId(user))
  return users
}

interface Disconnect {
  user: string
  client?: string
  disconnect: ConnectionEnding['disconnect']
}

/** What closes the connections of endings in one organization; notes the endings that had any. */
function commandsFor(
  present: Present,
  endings: readonly ConnectionEnding[],
  ended: Set<ConnectionEnding>,
): Disconnect[] {
  const byUser = Map.groupBy(endings, ({ user }) => user as string)
  return Object.entries(present).flatMap(([client, { user, conn_info: info }]) => {
    const ending = byUser.get(user ?? '')?.find((one) => one.isOf(info))
    if (!user || !ending) return []
    ended.add(ending)
    return [{ user, client, disconnect: ending.disconnect }]
  })
}

async function disconnect(api: CentrifugoApi, commands: readonly Disconnect[]): Promise<void> {
  for (const batch of chunksOf(commands, BATCH_SIZE)) {
    const request = { commands: batch.map((one) => ({ disconnect: one })), parallel: true }
    const { replies } = await api.call('batch', request, Disconnects)
    const failed = replies.find((reply) => 'error' in reply)
    if (failed) throw failure('disconnect', `error ${failed.error.code}`)
  }
}

function failure(action: string, cause: string): ProviderFailure {
  return new ProviderFailure('centrifugo', action, { retryable: true, cause: new Error(cause) })
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}
