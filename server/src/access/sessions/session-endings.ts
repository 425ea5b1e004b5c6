import { sql } from 'kysely'
import { lockUser } from '../../directory/users.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import { type OrganizationId, type RowId, trusted, type UserId } from '../../platform/ids.ts'

/**
 * Ends a person's session, or the one that continues it since it was listed: a switch of the organization gives it
 * another id. @returns the id of what has ended; undefined where they have none that works
 */
export async function revokeSessionById(
  tx: Tx,
  user: UserId,
  id: RowId,
  now: Date,
): Promise<string | undefined> {
  await lockUser(tx, user)
  const { rows } = await sql<{ id: string }>`
    with recursive line as (
      select id, replaced_by_hash from sessions where id = ${id} and user_id = ${user}
      union all
      select s.id, s.replaced_by_hash from line join sessions s on s.token_hash = line.replaced_by_hash
    )
    update sessions s set revoked_at = ${now} from line
    where s.id = line.id and s.revoked_at is null and s.idle_expires_at > ${now} and s.absolute_expires_at > ${now}
    returning s.id`.execute(tx)
  return rows[0]?.id
}

/** Ends every session of a person but one; also those that begin, or go on under another id, at this moment. */
export async function revokeOtherSessions(tx: Tx, user: UserId, kept: string, now: Date): Promise<void> {
  await lockUser(tx, user)
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', user)
    .where('id', '!=', kept)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends every session of a person, as `revokeOtherSessions` does. */
export async function revokeSessionsOf(tx: Tx, user: UserId, now: Date): Promise<void> {
  await lockUser(tx, user)
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends the sessions that stand on a session of the identity provider's. @returns their people */
export async function revokeUpstreamSession(db: Db, upstream: string, now: Date): Promise<UserId[]> {
  const rows = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('upstream_session', '=', upstream)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .execute()
  return rows.map((row) => trusted.userId(row.user_id))
}

/**
 * Takes an organization from the sessions of people who have lost it: they stay signed in, and work nowhere. What was
 * minted for it (realtime connections, tokens) ends by itself, see `ended-access.ts`. Afterwards call `callers.forget`.
 */
export async function deactivateOrganization(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<void> {
  await sql`
    update sessions set active_organization_id = null
    where active_organization_id = ${organization} and user_id = any(${users}::bigint[])
      and revoked_at is null`.execute(db)
}

/**
 * Takes an organization that is erased from all sessions, ended ones too. Those that came in by its single sign-on are
 * deleted: without its name they would be sessions of another kind.
 * @returns how many were deleted
 */
export async function forgetOrganizationInSessions(db: Db, organization: OrganizationId): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from sessions where sso_organization_id = ${organization}`.execute(db)
  await sql`
    update sessions set active_organization_id = null where active_organization_id = ${organization}`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** What a domain demands of its addresses: to come in by the single sign-on of an organization, or of none. */
export interface DemandOfDomain {
  domain: string
  organization: { id: OrganizationId; provenByDns: boolean } | undefined
}

/**
 * Ends every session of addresses of some domains that could not be made as it stands any more: those that came in by
 * something else than the demanded single sign-on; those by the single sign-on of an organization without the domain
 * (any more); and those at work in an organization that their sign-on does not reach (`mayEnter` says the same of one
 * session).
 * @returns their people
 */
export async function endSessionsThatDoNotHold(
  db: Db,
  demands: readonly DemandOfDomain[],
  now: Date,
): Promise<UserId[]> {
  if (demands.length === 0) return []
  const domains = demands.map(({ domain }) => domain)
  const organizations = demands.map(({ organization }) => organization?.id ?? null)
  const proven = demands.map(({ organization }) => organization?.provenByDns ?? false)
  const { rows } = await sql<{ user_id: string }>`
    with c as (
      select * from unnest(${domains}::text[], ${organizations}::bigint[], ${proven}::boolean[])
        as given (domain, organization_id, by_dns)
    ), over as (
      select s.id
      from c join users u on split_part(u.email, '@', 2) = c.domain join sessions s on s.user_id = u.id
      where s.revoked_at is null and case s.method
        when 'sso' then c.organization_id is distinct from s.sso_organization_id
          or (not c.by_dns and s.active_organization_id <> s.sso_organization_id)
        else c.organization_id is not null and s.method in ('magic_auth', 'oauth') end
    )
    update sessions set revoked_at = ${now} from over where sessions.id = over.id and sessions.revoked_at is null
    returning sessions.user_id`.execute(db)
  return [...new Set(rows.map((row) => trusted.userId(row.user_id)))]
}

/** The domains of all people who came in by single sign-on. */
export async function listSignedOnDomains(db: Db): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct split_part(u.email, '@', 2) as domain from sessions s join users u on u.id = s.user_id
    where s.revoked_at is null and s.method = 'sso'`.execute(db)
  return rows.map(({ domain }) => domain)
}

/** Removes what has been over for a day, and is not read any more. */
export async function purgeSessions(db: Db, before: Date): Promise<void> {
  await deleteInPieces(
    db,
    'sessions',
    sql`absolute_expires_at < ${before} or idle_expires_at < ${before} or revoked_at < ${before}`,
  )
}
