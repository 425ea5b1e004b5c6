import type { Config } from './config.ts'
import { type ChatTokens, claimsReader } from './features/chat/claims.ts'
import type { ChatDataNeeds } from './features/chat/routes.ts'
import type { Clock } from './platform/clock.ts'
import type { Pool } from './platform/database/database.ts'

/** The chat of an office: how its tokens are signed, and what its data are served from. */
export interface Chat extends ChatDataNeeds {
  tokens: ChatTokens
}

/**
 * What the functions of chat find set on their connection: where images are served from, and that moments are written
 * in UTC. The connection begins with it, because setting it for every request cost 4 µs of 23 (`pgbench`).
 */
export function chatSettings({
  avatarPublicBaseUrl,
}: Pick<Config, 'avatarPublicBaseUrl'>): Record<string, string> {
  return { timezone: 'UTC', 'atrium.image_base_url': avatarPublicBaseUrl }
}

/** Puts chat together. */
export function composeChat(given: {
  config: Pick<Config, 'chatTokenSecret'>
  /** With `chatSettings`. */
  pool: Pool
  clock: Clock
}): Chat {
  const { config, pool, clock } = given
  const tokens = { key: new TextEncoder().encode(config.chatTokenSecret.reveal()) }
  return {
    tokens,
    pool,
    readClaims: claimsReader(tokens, clock),
  }
}
