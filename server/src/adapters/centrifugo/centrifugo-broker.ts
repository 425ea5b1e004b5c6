import Type, { type Static } from 'typebox'
import { type IdentityOrganizationId, type IdentityUserId, trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { BrokerPort } from '../../ports/broker.ts'
import { type CentrifugoApi, type CentrifugoApiOptions, centrifugoApi } from './api.ts'

/**
 * Organizations asked about in one request. A thousand took 10 ms on one node; on Redis each is a call of its own,
 * and a request that fails fails for all of its organizations.
 */
const BATCH_SIZE = 500
/** In a namespace with history, never subscribed to and never published on. Its epoch is that of the stored data. */
const CANARY_CHANNEL = 'org:canary'

const Failed = Type.Object({ error: Type.Object({ code: Type.Integer() }) })
const Presence = Type.Object({
  presence: Type.Object({
    presence: Type.Record(Type.String(), Type.Object({ user: Type.Optional(Type.String()) })),
  }),
})
const Batch = Type.Object({ replies: Type.Array(Type.Union([Failed, Presence])) })
const Info = Type.Object({
  result: Type.Object({ nodes: Type.Array(Type.Object({ uid: Type.String() }), { minItems: 1 }) }),
})
const History = Type.Object({ result: Type.Object({ epoch: Type.String({ minLength: 1 }) }) })

/**
 * Centrifugo as our broker. It reads the outbox and asks the subscribe proxy by itself; what is left to ask it for is
 * who is connected. Only `presence` tells that: `channels` and `info` count one node alone while Redis is away.
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
        const users = await usersIn(api, batch)
        for (const [index, organization] of batch.entries())
          connected.set(organization, users[index] ?? new Set())
      }
      const generation = await generationOf(api)
      if (generation !== before)
        throw new ProviderFailure('centrifugo', 'presence', {
          retryable: true,
          cause: new Error('its memory changed while it was asked'),
        })
      return { generation, connected }
    },
    async check() {
      await api.call('info', {}, Info)
    },
  }
}

/** The set of nodes and the life of the stored data: when neither changed, nobody was forgotten in between. */
async function generationOf(api: CentrifugoApi): Promise<string> {
  const [info, canary] = await Promise.all([
    api.call('info', {}, Info),
    api.call('history', { channel: CANARY_CHANNEL, limit: 0 }, History),
  ])
  const nodes = info.result.nodes.map(({ uid }) => uid).sort()
  return [...nodes, canary.result.epoch].join(' ')
}

async function usersIn(
  api: CentrifugoApi,
  organizations: readonly IdentityOrganizationId[],
): Promise<Set<IdentityUserId>[]> {
  const commands = organizations.map((organization) => ({ presence: { channel: `org:${organization}` } }))
  const { replies } = await api.call('batch', { commands, parallel: true }, Batch)
  if (replies.length !== organizations.length)
    throw new ProviderFailure('centrifugo', 'presence', {
      retryable: true,
      cause: new Error(`${replies.length} replies to ${organizations.length} questions`),
    })
  return replies.map(usersOf)
}

function usersOf(reply: Static<typeof Batch>['replies'][number]): Set<IdentityUserId> {
  if ('error' in reply)
    throw new ProviderFailure('centrifugo', 'presence', {
      retryable: true,
      cause: new Error(`error ${reply.error.code}`),
    })
  const users = new Set<IdentityUserId>()
  for (const { user } of Object.values(reply.presence.presence))
    if (user) users.add(trusted.identityUserId(user))
  return users
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}
