import type { Config } from './config.ts'
import { type ChatTokens, claimsReader } from './features/chat/claims.ts'
import type { ChatDataNeeds } from './features/chat/routes.ts'
import type { Clock } from './platform/clock.ts'
import type { Pool } from './platform/database/database.ts'
import type { SharedConnections } from './platform/database/shared-connections.ts'

/** The chat of an office: how its tokens are signed, and what its data are served from. */
export interface Chat extends ChatDataNeeds {
  tokens: ChatTokens
}

/** Puts chat together. */
export function composeChat(given: {
  config: Pick<Config, 'chatTokenSecret' | 'databaseWaitMs'>
  /** With `chatSettings`. */
  pool: Pool
  /** With `chatSettings`. */
  shared: SharedConnections
  clock: Clock
}): Chat {
  const { config, pool, shared, clock } = given
  const tokens = { key: new TextEncoder().encode(config.chatTokenSecret.reveal()) }
  return {
    tokens,
    pool,
    shared,
    databaseWaitMs: config.databaseWaitMs,
    readClaims: claimsReader(tokens, clock),
  }
}
