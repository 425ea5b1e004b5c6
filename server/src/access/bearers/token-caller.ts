import type { BotCaller, TokenCaller, Visitor } from '../caller.ts'
import type { KnownToken } from './bearer-token-store.ts'

/** The caller that a token makes of a visitor: a bot, or a program of an organization. */
export function callerOfToken(
  { token, organization, bot }: KnownToken,
  visitor: Visitor,
): TokenCaller | BotCaller {
  return bot ? { ...visitor, bot: { tokenId: token.id }, ...bot } : { ...visitor, token, organization }
}
