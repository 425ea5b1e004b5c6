import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { tokenExpiry, tokenOriginOf } from '../../access/sessions/token-origin.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { signToken } from '../../platform/secrets/signed-token.ts'
import { AUDIENCE, type ChatTokens, DATABASE_ROLE } from './claims.ts'

interface Needs {
  clock: Clock
  chatTokens: ChatTokens
}

const LIFETIME_SECONDS = 60 * 60

/** A token for the chat data, as the caller in the active organization. */
export async function mintChatToken(
  { clock, chatTokens }: Needs,
  caller: CallerOf<'mintChatToken'>,
): Promise<Reply<'mintChatToken'>> {
  const now = clock.now()
  const claims = {
    aud: AUDIENCE,
    role: DATABASE_ROLE,
    user_id: caller.user.id,
    org_id: caller.organization.id,
    ...tokenOriginOf(caller),
  }
  const token = await signToken(claims, chatTokens.keys.current, {
    now,
    expiresAt: tokenExpiry(secondsAfter(now, LIFETIME_SECONDS), caller),
  })
  return { status: 200, body: { token } }
}
