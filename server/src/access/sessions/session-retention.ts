import { sql } from 'kysely'
import { secondsAfter } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/** Of the chat. */
const LONGEST_TOKEN_SECONDS = 60 * 60

/**
 * Ends the sessions at work in an organization as early as it has decided, from the sign-in on. Those that would end within
 * the life of a token end now: what was minted from them says a later end, and is refused only after a session that was
 * ended.
 */
export async function shortenSessions(
  tx: Tx,
  organization: OrganizationId,
  days: number,
  now: Date,
): Promise<void> {
  const soon = secondsAfter(now, LONGEST_TOKEN_SECONDS)
  await sql`
    with ends as (
      select id, least(absolute_expires_at, coalesce(signed_in_at, created_at) + ${days}::integer * interval '24 hours') as at
      from sessions where active_organization_id = ${organization} and revoked_at is null
    )
    update sessions s set absolute_expires_at = ends.at,
      revoked_at = case when ends.at < s.absolute_expires_at and ends.at < ${soon} then ${now}::timestamptz end
    from ends where s.id = ends.id and s.revoked_at is null`.execute(tx)
}
