import type { Role } from '@atrium/contract'
import { type Generated, type GeneratedAlways, sql } from 'kysely'
import { type OrganizationRecord, readOrganization } from '../../directory/organizations.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Range } from '../../platform/cursor-page.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import { type InvitationTimes, SENDING_WINDOW_SECONDS } from './rules.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    invitations: {
      id: GeneratedAlways<string>
      identity_invitation_id: string
      organization_id: string
      email: string
      role: Role
      inviter_user_id: string
      token_hash: Buffer
      sealed_token: Buffer
      created_at: Date
      updated_at: Date
      expires_at: Date
      accepted_at: Date | null
      accepted_by_user_id: string | null
      revoked_at: Date | null
      superseded_at: Date | null
      mailed: Generated<boolean>
    }
  }
}

export interface InvitationRecord extends InvitationTimes {
  /** `invitation_…` */
  id: string
  email: string
  /** What was offered. */
  role: Role
  /** What it gives when it is accepted: never more than its inviter could grant by then. */
  roleGiven: Role
  inviter: UserId
  sealedToken: Buffer
  createdAt: Date
  updatedAt: Date
}

const columns = [
  'identity_invitation_id',
  'email',
  'role',
  'inviter_user_id',
  'sealed_token',
  'created_at',
  'updated_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
  sql<Role>`role_given(role, organization_id, inviter_user_id)`.as('role_given'),
] as const

export interface NewInvitation {
  id: string
  email: string
  role: Role
  inviter: UserId
  tokenHash: Buffer
  sealedToken: Buffer
  expiresAt: Date
  /** Whether its address is sent a mail of it. */
  isMailed: boolean
}

/** The invitation of an address that is pending. */
export interface WaitingInvitation {
  id: string
  role: Role
}

/** What is known of an address that a member wants to invite. */
export interface InvitedAddress {
  waiting: WaitingInvitation | undefined
  /** How often this organization has invited it within the window. */
  sentHere: number
  /** How many mails of invitations it was sent within the window, by whichever organization. */
  mailed: number
}

/**
 * Locks addresses against every other call that invites them, of whichever organization, until the transaction ends:
 * of many at once, each knows what the ones before have sent.
 */
export async function lockAddresses(
  tx: Tx,
  organization: OrganizationId,
  emails: readonly string[],
  now: Date,
): Promise<Map<string, InvitedAddress>> {
  // always in one order: calls with the same addresses cannot block each other
  const sorted = [...emails].sort()
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${'invitations '} || email, 0))
    from unnest(${sorted}::text[]) email`.execute(tx)
  const since = secondsAfter(now, -SENDING_WINDOW_SECONDS)
  const { rows } = await sql<{
    email: string
    id: string | null
    role: Role | null
    here: number
    mailed: number
  }>`
    with live as materialized (
      select email, identity_invitation_id, role_given(role, organization_id, inviter_user_id) as role from invitations
      where organization_id = ${organization} and email = any(${sorted}::text[]) and expires_at > ${now}
        and accepted_at is null and revoked_at is null and superseded_at is null
      order by id for update)
    select asked.email, live.identity_invitation_id as id, live.role, counted.here, counted.mailed
    from unnest(${sorted}::text[]) as asked (email)
    left join live on live.email = asked.email
    cross join lateral (
      select count(*) filter (where organization_id = ${organization})::int as here,
        count(*) filter (where mailed)::int as mailed
      from invitations where email = asked.email and created_at > ${since}) counted`.execute(tx)
  return new Map(
    rows.map(({ email, id, role, here, mailed }) => [
      email,
      { waiting: id !== null && role !== null ? { id, role } : undefined, sentHere: here, mailed },
    ]),
  )
}

/**
 * Invites addresses, each of them once, which are locked (`lockAddresses`). An invitation that was pending for one is
 * revoked: the newest counts.
 */
export async function supersedeInvitations(
  tx: Tx,
  organization: OrganizationId,
  invitations: readonly NewInvitation[],
  now: Date,
): Promise<void> {
  const emails = invitations.map(({ email }) => email)
  await sql`
    with live as (
      select id from invitations
      where organization_id = ${organization} and email = any(${emails}::text[])
        and accepted_at is null and revoked_at is null and superseded_at is null
      order by id for update)
    update invitations i set superseded_at = ${now}, updated_at = ${now},
      revoked_at = case when i.expires_at > ${now} then ${now}::timestamptz end
    from live where i.id = live.id`.execute(tx)
  const column = <Key extends keyof NewInvitation>(key: Key) => invitations.map((one) => one[key])
  await sql`
    insert into invitations (identity_invitation_id, organization_id, email, role, inviter_user_id, token_hash,
      sealed_token, created_at, updated_at, expires_at, mailed)
    select id, ${organization}::bigint, email, role, inviter, token_hash, sealed_token, ${now}::timestamptz,
      ${now}::timestamptz, expires_at, mailed
    from unnest(${column('id')}::text[], ${column('email')}::text[], ${column('role')}::text[],
      ${column('inviter')}::bigint[], ${column('tokenHash')}::bytea[], ${column('sealedToken')}::bytea[],
      ${column('expiresAt')}::timestamptz[], ${column('isMailed')}::boolean[])
      as new (id, email, role, inviter, token_hash, sealed_token, expires_at, mailed)`.execute(tx)
}

/** Invitations of an organization, by time of making. */
export async function listInvitations(
  db: Db,
  organization: OrganizationId,
  filter: { email?: string | undefined },
  range: Range,
): Promise<InvitationRecord[]> {
  const { email } = filter
  const { olderThan, newerThan, oldestFirst, limit } = range
  const place = sql`(created_at, identity_invitation_id)`
  const direction = oldestFirst ? 'asc' : 'desc'
  const rows = await db
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organization)
    .$if(email !== undefined, (query) => query.where('email', '=', email as string))
    .$if(olderThan !== undefined, (query) =>
      query.where(sql<boolean>`${place} < (${olderThan?.at}::timestamptz, ${olderThan?.id})`),
    )
    .$if(newerThan !== undefined, (query) =>
      query.where(sql<boolean>`${place} > (${newerThan?.at}::timestamptz, ${newerThan?.id})`),
    )
    .orderBy('created_at', direction)
    .orderBy('identity_invitation_id', direction)
    .limit(limit)
    .execute()
  return rows.map(toInvitation)
}

/** One invitation, locked until the transaction ends. */
export async function lockInvitation(
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<InvitationRecord | undefined> {
  const row = await tx
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organization)
    .where('identity_invitation_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toInvitation(row)
}

/** The invitation of an organization that waits for an address: there is one at most. */
export async function findWaiting(
  db: Db,
  organization: OrganizationId,
  email: string,
  now: Date,
): Promise<InvitationRecord | undefined> {
  const row = await waitingIn(db, organization, email, now).executeTakeFirst()
  return row && toInvitation(row)
}

/** The same, safe from revocation until the transaction ends. */
export async function lockWaiting(
  tx: Tx,
  organization: OrganizationId,
  email: string,
  now: Date,
): Promise<InvitationRecord | undefined> {
  const row = await waitingIn(tx, organization, email, now).forUpdate().executeTakeFirst()
  return row && toInvitation(row)
}

function waitingIn(db: Db, organization: OrganizationId, email: string, now: Date) {
  return waitingFor(db, email, now).select(columns).where('organization_id', '=', organization)
}

/** An invitation that its person may accept without the token. */
export interface OfferedMembership {
  /** `invitation_…` */
  invitation: string
  organization: OrganizationRecord
}

/** What waits for a person, oldest first. */
export async function listOffered(db: Db, user: UserId, now: Date): Promise<OfferedMembership[]> {
  const { rows } = await sql<{ invitation: string; id: string; identity: string; name: string }>`
    select invitation_id as invitation, organization_id as id, identity_organization_id as identity,
      organization_name as name
    from waiting_invitations(${user}, ${now}) order by created_at, organization_id`.execute(db)
  return rows.map(({ invitation, id, identity, name }) => ({
    invitation,
    organization: {
      id: trusted.organizationId(id),
      identityId: trusted.identityOrganizationId(identity),
      name,
    },
  }))
}

/** Whether an invitation of any organization waits for an address. */
export async function isAwaited(db: Db, email: string, now: Date): Promise<boolean> {
  const row = await waitingFor(db, email, now).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

function waitingFor(db: Db, email: string, now: Date) {
  return db
    .selectFrom('invitations')
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('superseded_at', 'is', null)
    .where('expires_at', '>', now)
}

/** The invitation of a token with its organization; undefined where it is unknown, or the organization deleted. */
export async function findInvitationByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<(InvitationRecord & { organization: OrganizationRecord }) | undefined> {
  const row = await db
    .selectFrom('invitations')
    .select(['organization_id', ...columns])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  const organization = row && (await readOrganization(db, trusted.organizationId(row.organization_id)))
  return organization && { ...toInvitation(row), organization }
}

export async function markRevoked(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ revoked_at: now, updated_at: now })
    .where('organization_id', '=', organization)
    .where('identity_invitation_id', '=', id)
    .execute()
}

export async function markAccepted(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  by: UserId,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ accepted_at: now, accepted_by_user_id: by, updated_at: now })
    .where('organization_id', '=', organization)
    .where('identity_invitation_id', '=', id)
    .execute()
}

/** Revokes what a removed member has sent, and what would let them in again. @returns how many */
export async function revokeInvitationsOf(
  tx: Tx,
  organization: OrganizationId,
  person: { id: UserId; email: string },
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    with live as (
      select id from invitations
      where organization_id = ${organization} and (inviter_user_id = ${person.id} or email = ${person.email})
        and expires_at > ${now}
        and accepted_at is null and revoked_at is null and superseded_at is null
      order by id for update)
    update invitations i set revoked_at = ${now}, updated_at = ${now} from live where i.id = live.id
    returning 1`.execute(tx)
  return rows.length
}

interface InvitationRow {
  identity_invitation_id: string
  email: string
  role: Role
  role_given: Role
  inviter_user_id: string
  sealed_token: Buffer
  created_at: Date
  updated_at: Date
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
}

function toInvitation(row: InvitationRow): InvitationRecord {
  return {
    id: row.identity_invitation_id,
    email: row.email,
    role: row.role,
    roleGiven: row.role_given,
    inviter: trusted.userId(row.inviter_user_id),
    sealedToken: row.sealed_token,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    revokedAt: row.revoked_at,
  }
}
