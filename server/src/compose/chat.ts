import type { EndedAccess } from '../access/ended-access.ts'
import type { Config } from '../configuration/config.ts'
import { type ChatTokens, claimsReader } from '../features/chat/claims.ts'
import type { ChatDataNeeds } from '../features/chat/routes.ts'
import type { Clock } from '../platform/clock.ts'
import { type DatabaseOptions, openPool } from '../platform/database/database.ts'
import { openSharedConnections } from '../platform/database/shared-connections.ts'

/** The chat of an office: how its tokens are signed, and what its data are served from. */
export interface Chat extends Omit<ChatDataNeeds, 'enter' | 'charge'> {
  tokens: ChatTokens
  close(): Promise<void>
}

/** Connections of its own: what is asked here takes none from the rest of the office. */
const CALLS = { maxConnections: 4, shares: { person: 2, organization: 3 } }
/** And others for rows, of which clients choose filters and order: a statement may look at all somebody ever received. */
const ROWS = { maxConnections: 4, shares: { person: 1, organization: 2 } }
/** Of the time that statements of requests have elsewhere: with the default, a second. */
const STATEMENT_SHARE = 0.55

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
  const own = {
    ...connections,
    statementTimeoutMs: Math.round(connections.statementTimeoutMs * STATEMENT_SHARE),
  }
  const pool = openPool({ ...own, ...CALLS })
  const rowsPool = openPool({ ...own, ...ROWS })
  const shared = openSharedConnections(connections)
  return {
    tokens,
    pool,
    rowsPool,
    shared,
    databaseWaitMs: config.databaseWaitMs,
    readClaims: claimsReader(tokens, clock, endedAccess),
    async close() {
      await Promise.all([pool.end(), rowsPool.end(), shared.end()])
    },
  }
}
