import type { EndedAccess } from './access/ended-access.ts'
import type { Config } from './config.ts'
import { type ChatTokens, claimsReader } from './features/chat/claims.ts'
import type { ChatDataNeeds } from './features/chat/routes.ts'
import type { Clock } from './platform/clock.ts'
import { type DatabaseOptions, openPool } from './platform/database/database.ts'
import { openSharedConnections } from './platform/database/shared-connections.ts'

/** The chat of an office: how its tokens are signed, and what its data are served from. */
export interface Chat extends Omit<ChatDataNeeds, 'enter' | 'charge'> {
  tokens: ChatTokens
  close(): Promise<void>
}

/** Connections of its own: what is read here takes none from the rest of the office. */
const CONNECTIONS = 6
/** At the same time: what one person asks for is answered one after the other. */
const SHARES = { person: 1, organization: 4 }
/** Clients choose filters and order, so that a statement may look at all that a person ever received. */
const STATEMENT_MS = 1_000

/** Puts chat together. */
export function composeChat(given: {
  config: Pick<Config, 'chatTokenSecret' | 'databaseWaitMs'>
  /** With `chatSettings`. */
  connections: Omit<DatabaseOptions, 'maxConnections' | 'shared' | 'shares'>
  clock: Clock
  endedAccess: EndedAccess
}): Chat {
  const { config, connections, clock, endedAccess } = given
  const tokens = { key: new TextEncoder().encode(config.chatTokenSecret.reveal()) }
  const pool = openPool({
    ...connections,
    maxConnections: CONNECTIONS,
    shares: SHARES,
    statementTimeoutMs: STATEMENT_MS,
  })
  const shared = openSharedConnections(connections)
  return {
    tokens,
    pool,
    shared,
    databaseWaitMs: config.databaseWaitMs,
    readClaims: claimsReader(tokens, clock, endedAccess),
    async close() {
      await Promise.all([pool.end(), shared.end()])
    },
  }
}
