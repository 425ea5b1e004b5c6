import type { Role } from '@atrium/contract'
import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import type { SignInMethod } from '../caller.ts'
import { sessionMark } from './session-mark.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sessions: {
      id: GeneratedAlways<string>
      token_hash: Buffer
      user_id: string
      active_organization_id: string | null
      method: SignInMethod
      sso_organization_id: string | null
      created_at: Date
      /** When the person signed in, whichever id the session had then. Null: of the release before. */
      signed_in_at: Generated<Date | null>
      last_seen_at: Date
      idle_expires_at: Date
      absolute_expires_at: Date
      revoked_at: Date | null
      upstream_session: string | null
      replaced_by_hash: Buffer | null
      /** The browser goes on under another session. */
      superseded: Generated<boolean>
      network: Generated<string>
      device: Generated<string>
    }
  }
}

export interface NewSession {
  tokenHash: Buffer
  user: UserId
  organization: OrganizationId | null
  method: SignInMethod
  ssoOrganization: OrganizationId | null
  idleExpiresAt: Date
  absoluteExpiresAt: Date
  /** The identity provider's own session, where it has one. */
  upstreamSession: string | null
  /** Where it was made, for its person to recognise it. */
  network: string
  device: string
}

export async function insertSession(db: Db, session: NewSession, now: Date): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.user,
      active_organization_id: session.organization,
      method: session.method,
      sso_organization_id: session.ssoOrganization,
      created_at: now,
      last_seen_at: now,
      idle_expires_at: session.idleExpiresAt,
      absolute_expires_at: session.absoluteExpiresAt,
      revoked_at: null,
      upstream_session: session.upstreamSession,
      network: session.network,
      device: session.device,
    })
    .execute()
}

export interface SessionRow {
  id: string
  mark: string
  method: SignInMethod
  ssoOrganizationId: string | null
  upstreamSession: string | null
  lastSeenAt: Date
  idleExpiresAt: Date
  absoluteExpiresAt: Date
  userId: string
  userIdentityId: string
  email: string
  organizationId: string | null
  organizationIdentityId: string | null
  role: Role | null
  membershipGeneration: string | null
}

/**
 * The session of a token with its person and, where they are still an active member of it, the organization.
 * Who lost the membership keeps the session and has no active organization.
 */
export async function findSession(db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('memberships as m', (join) =>
      join
        .onRef('m.organization_id', '=', 's.active_organization_id')
        .onRef('m.user_id', '=', 's.user_id')
        .on('m.status', '=', 'active'),
    )
    .leftJoin('organizations as o', (join) =>
      join.onRef('o.id', '=', 'm.organization_id').on('o.deleted_at', 'is', null),
    )
    .select([
      's.id',
      sessionMark.as('mark'),
      's.method',
      's.sso_organization_id as ssoOrganizationId',
      's.upstream_session as upstreamSession',
      's.last_seen_at as lastSeenAt',
      's.idle_expires_at as idleExpiresAt',
      's.absolute_expires_at as absoluteExpiresAt',
      'u.id as userId',
      'u.identity_user_id as userIdentityId',
      'u.email',
      'o.id as organizationId',
      'o.identity_organization_id as organizationIdentityId',
      'm.role',
      'm.generation as membershipGeneration',
    ])
    .where('s.token_hash', '=', tokenHash)
    .where('s.revoked_at', 'is', null)
    // a sign-in may have been under way when the account was deleted
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The session that took the place of the one with a token, not longer ago than `since`, and has not ended. */
export async function findReplacement(
  db: Db,
  tokenHash: Buffer,
  since: Date,
): Promise<SessionRow | undefined> {
  const replaced = await db
    .selectFrom('sessions')
    .select('replaced_by_hash')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', '>', since)
    .executeTakeFirst()
  return replaced?.replaced_by_hash ? await findSession(db, replaced.replaced_by_hash) : undefined
}

/**
 * Moves the idle expiry on. A session that has been revoked meanwhile stays so. Of many requests that come at once, on
 * any nodes, the first moves it; for the others it is moved already.
 */
export async function touchSession(
  db: Db,
  session: Pick<SessionRow, 'id' | 'lastSeenAt'>,
  now: Date,
  idleExpiresAt: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, idle_expires_at: idleExpiresAt })
    .where('id', '=', session.id)
    .where('last_seen_at', '<=', session.lastSeenAt)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Ends a session, and with it what was minted from it (trigger `note_ended_session`, migration 0019).
 * @param superseded the browser goes on under another session
 * @returns its person; undefined where there was none to end
 */
export async function revokeSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
  superseded = false,
): Promise<UserId | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now, superseded })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row && trusted.userId(row.user_id)
}

/** Keeps a session from ending or going on under another id until the transaction ends. @returns false where it has already */
export async function holdSession(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** One session of a person, as they see it. */
export interface ListedSession {
  id: string
  createdAt: Date
  lastSeenAt: Date
  network: string
  device: string
}

const LISTED_MAX = 100

/** A person's sessions that work, the one used last first; a hundred at most. */
export async function listSessionsOf(db: Db, user: UserId, now: Date): Promise<ListedSession[]> {
  return await db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'network', 'device'])
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute()
}

/** Those of these people who may hold a realtime connection: a session of theirs works in an organization. */
export async function findConnectable(db: Db, users: readonly UserId[], now: Date): Promise<Set<UserId>> {
  const { rows } = await sql<{ user: string }>`
    select distinct s.user_id as user from sessions s
      join memberships m on m.organization_id = s.active_organization_id and m.user_id = s.user_id
    where s.user_id = any(${users}::bigint[]) and s.revoked_at is null and m.status = 'active'
      and s.idle_expires_at > ${now} and s.absolute_expires_at > ${now}`.execute(db)
  return new Set(rows.map(({ user }) => trusted.userId(user)))
}

/**
 * Puts a session under a new token and into an organization in place of the one with the earlier token.
 * @returns when the session ends at the latest; undefined where the earlier one has ended
 */
export async function replaceSessionRow(
  tx: Tx,
  replacement: { earlierHash: Buffer; tokenHash: Buffer; organization: OrganizationId; idleExpiresAt: Date },
  now: Date,
): Promise<Date | undefined> {
  const earlier = await tx
    .updateTable('sessions')
    .set({ revoked_at: now, superseded: true, replaced_by_hash: replacement.tokenHash })
    .where('token_hash', '=', replacement.earlierHash)
    .where('revoked_at', 'is', null)
    .returning([
      ...(['user_id', 'method', 'sso_organization_id', 'absolute_expires_at', 'upstream_session'] as const),
      ...(['network', 'device'] as const),
      sql<Date>`coalesce(signed_in_at, created_at)`.as('signed_in_at'),
    ])
    .executeTakeFirst()
  if (!earlier) return undefined
  const replaced = await tx
    .insertInto('sessions')
    .values({
      ...earlier,
      token_hash: replacement.tokenHash,
      active_organization_id: replacement.organization,
      created_at: now,
      last_seen_at: now,
      idle_expires_at: replacement.idleExpiresAt,
      revoked_at: null,
    })
    .returning('absolute_expires_at')
    .executeTakeFirstOrThrow()
  return replaced.absolute_expires_at
}

/**
 * Makes an organization the active one of a session that works in none: it never had one, or lost the membership of it.
 * @param signedInAfter older sessions stay without an organization: they would be signed out
 * @returns whether it did; whether the session reaches the organization is for the caller to know
 */
export async function activateOrganization(
  db: Db,
  sessionId: string,
  organization: OrganizationId,
  signedInAfter: Date | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    update sessions s set active_organization_id = ${organization}
    where s.id = ${sessionId}
      and (${signedInAfter}::timestamptz is null or coalesce(s.signed_in_at, s.created_at) > ${signedInAfter})
      and not exists (
      select 1 from memberships m join organizations o on o.id = m.organization_id
      where m.organization_id = s.active_organization_id and m.user_id = s.user_id and m.status = 'active'
        and o.deleted_at is null)
    returning s.id`.execute(db)
  return rows.length === 1
}
