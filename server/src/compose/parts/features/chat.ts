import { purgeAttachmentsJob } from '../../../features/chat/attachments/jobs.ts'
import { type ChatTokens, claimsReader } from '../../../features/chat/claims.ts'
import { eraseFromChat } from '../../../features/chat/erase.ts'
import type { ChatCallNeeds } from '../../../features/chat/messages/chat-call.ts'
import { type ChatDataNeeds, serveChatData } from '../../../features/chat/routes.ts'
import { makeTypingHints, type TypingHints } from '../../../features/chat/typing-hints.ts'
import { eraseNotificationSettings } from '../../../features/notifications/store.ts'
import { withdrawEvents } from '../../../platform/background/outbox.ts'
import { openPool } from '../../../platform/database/database.ts'
import { requestsUnderWay } from '../../../platform/limits/requests-under-way.ts'
import { poolMeasures } from '../../../platform/metrics/pool-measures.ts'
import { keysOf } from '../../../platform/secrets/secret.ts'
import type { Opening, Part } from '../../part.ts'
import { payerOf } from '../../requests/held-loop.ts'
import { tellLimit } from '../../requests/visitor.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../platform/databases.ts'
import type { Realtime } from '../ports/realtime.ts'

/** The chat of an office: how its tokens are signed, and what its data are served from. */
export interface Chat extends Part, Omit<ChatDataNeeds, 'enter' | 'requirePaid' | 'charge' | 'underWay'> {
  needs: { chatTokens: ChatTokens; typingHints: TypingHints } & ChatCallNeeds
}

/** Connections of its own: what is asked here takes none from the rest of the office. */
const CALLS = { connections: 4, atOnce: { person: 2, organization: 3 } }
/**
 * And others for rows, of which clients choose filters and order: a statement may look at all messages that its person
 * ever received.
 */
const ROWS = { connections: 4, atOnce: { person: 1, organization: 2 } }
/** Of the time that statements of requests have elsewhere: with the default, a second. */
const STATEMENT_SHARE = 0.55

/** Puts chat together. */
export function openChat(
  opening: Opening,
  { databases, access, realtime }: { databases: Databases; access: Access; realtime: Realtime },
): Chat {
  const { config, clock, stack } = opening
  const tokens = { keys: keysOf(config.chatTokenSecrets) }
  const pools = openPools(opening, databases)
  const typingHints = makeTypingHints({ broker: realtime.broker, clock })
  stack.defer(() => typingHints.settle())
  const data = {
    ...pools,
    callsUnderWay: requestsUnderWay(() => CALLS.atOnce),
    rowsUnderWay: requestsUnderWay(() => ROWS.atOnce),
    databaseWaitMs: config.databaseWaitMs,
    readClaims: claimsReader(tokens, clock, access.endedAccess),
  }
  return {
    ...data,
    needs: { chatTokens: tokens, typingHints, chatPool: databases.pool },
    erasers: [
      {
        name: 'chat',
        async erase(person) {
          const { background } = databases
          await eraseFromChat(background, person, clock.now())
          await withdrawEvents(background, [{ data: { data: { sender_id: Number(person.id) } } }])
        },
      },
      {
        name: 'notifications',
        erase: ({ id }) => eraseNotificationSettings(databases.background, id),
      },
    ],
    jobs: [purgeAttachmentsJob({ db: databases.background, clock })],
    measures: () => poolMeasures({ chat: pools.pool, 'chat rows': pools.rowsPool }),
    async routes(server) {
      await serveChatData(server, {
        ...data,
        enter(person, reply) {
          payerOf.write(reply.request, person)
          return access.budgets.call(person, { tellLimit: tellLimit(reply) })
        },
        requirePaid: access.budgets.requirePaid,
        charge: access.budgets.charge,
        underWay: access.underWay,
      })
    },
  }
}

function openPools({ stack }: Opening, { forRequests }: Databases): Pick<ChatDataNeeds, 'pool' | 'rowsPool'> {
  const statementTimeoutMs = Math.round(forRequests.statementTimeoutMs * STATEMENT_SHARE)
  const open = (maxConnections: number) => {
    const pool = openPool({ ...forRequests, statementTimeoutMs, maxConnections })
    stack.defer(() => pool.end())
    return pool
  }
  return { pool: open(CALLS.connections), rowsPool: open(ROWS.connections) }
}
