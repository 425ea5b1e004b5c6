import type { Role } from '@atrium/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import { type DepartureCause, insertDeparture } from './departures.ts'

/** A member of an organization, as the others see them. */
export interface MemberRecord {
  id: UserId
  identityId: IdentityUserId
  displayName: string
  email: string
  avatarKey: string | null
  role: Role
  isBot: boolean
  timeZone: string | null
}

/** As a statement answers it. */
export interface MemberRow {
  id: string
  identityId: string
  displayName: string
  email: string
  avatarKey: string | null
  role: Role
  isBot: boolean
  timeZone: string | null
}

const columns = sql`u.id, u.identity_user_id as "identityId", u.display_name as "displayName", u.email,
  u.avatar_key as "avatarKey", m.role, u.is_bot as "isBot", u.time_zone as "timeZone"`

/** An active member; undefined where they are none. */
export async function findMember(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<MemberRecord | undefined> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and m.user_id = ${user} and m.status = 'active'`.execute(db)
  return rows[0] && toMember(rows[0])
}

/** Which of these addresses (normalized) belong to active members. */
export async function findMemberAddresses(
  db: Db,
  organization: OrganizationId,
  emails: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id
    where u.email = any(${emails}::text[]) and m.organization_id = ${organization}
      and m.status = 'active'`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/**
 * Locks the organization against every other change of its members, until the transaction ends. False where it is
 * deleted. A decision by roles reads them after this.
 */
export async function lockMembers(tx: Tx, organization: OrganizationId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from organizations where id = ${organization} and deleted_at is null
    for no key update`.execute(tx)
  return rows.length === 1
}

/**
 * Holds a membership until the transaction ends: a removal or deactivation of that member waits, and then sees what was done. For what
 * ends with a membership, and is made without the lock of the organization. False where they are no active member.
 */
export async function holdMembership(tx: Tx, organization: OrganizationId, user: UserId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships
    where organization_id = ${organization} and user_id = ${user} and status = 'active' for share`.execute(tx)
  return rows.length === 1
}

export async function countAdmins(db: Db, organization: OrganizationId): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from memberships
    where organization_id = ${organization} and role = 'admin' and status = 'active'`.execute(db)
  return Number(rows[0]?.count)
}

export async function changeRole(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  role: Role,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role, updated_at: now })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

/** Takes a person out of an organization. The cause decides how they may come back. */
export async function removeMembership(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  cause: DepartureCause & { role?: Role },
  now: Date,
): Promise<void> {
  await insertDeparture(tx, organization, user, cause, now)
  await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

/** How many bots an organization has, with those that came by an archive and have no token. */
export async function countBots(db: Db, organization: OrganizationId): Promise<number> {
  return (await listBotMembers(db, organization)).length
}

export interface BotRecord {
  id: UserId
  identityId: IdentityUserId
  name: string
  role: Role
  /** By which the workers register that take part as it; null: none do. */
  agentName: string | null
  createdAt: Date
}

/** The bots of an organization, newest first. */
export async function listBotMembers(db: Db, organization: OrganizationId): Promise<BotRecord[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      'u.id',
      'u.identity_user_id as identityId',
      'm.role',
      'u.display_name as name',
      'm.agent_name as agentName',
      'u.created_at as createdAt',
    ])
    .where('m.organization_id', '=', organization)
    .where('m.status', '=', 'active')
    .where('u.is_bot', '=', true)
    .orderBy('u.id', 'desc')
    .execute()
  return rows.map(({ id, identityId, ...row }) => ({
    ...row,
    id: trusted.userId(id),
    identityId: trusted.identityUserId(identityId),
  }))
}

/** Both ids of each admin of an organization. */
export async function listAdmins(
  db: Db,
  organization: OrganizationId,
): Promise<{ id: UserId; identityId: IdentityUserId }[]> {
  const { rows } = await sql<{ id: string; identityId: string }>`
    select u.id, u.identity_user_id as "identityId"
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and m.role = 'admin' and m.status = 'active' order by u.id`.execute(
    db,
  )
  return rows.map((row) => ({
    id: trusted.userId(row.id),
    identityId: trusted.identityUserId(row.identityId),
  }))
}

/** Who may let guests in, as the organization has decided. */
export async function listAdmitters(
  db: Db,
  organization: OrganizationId,
): Promise<{ id: UserId; identityId: IdentityUserId }[]> {
  const { rows } = await sql<{ id: string; identityId: string }>`
    select u.id, u.identity_user_id as "identityId"
    from memberships m
      -- few, which PostgreSQL cannot know: it would read everybody, were they not looked up one by one
      cross join lateral (select * from users where id = m.user_id limit 1) u
    where m.organization_id = ${organization} and m.status = 'active'
      and m.role = any(roles_that_admit(${organization})) and not u.is_bot order by u.id`.execute(db)
  return rows.map((row) => ({
    id: trusted.userId(row.id),
    identityId: trusted.identityUserId(row.identityId),
  }))
}

/** Whether a role lets guests in, as the organization has decided. */
export async function roleAdmits(db: Db, organization: OrganizationId, role: Role): Promise<boolean> {
  const { rows } = await sql<{ admits: boolean }>`
    select ${role} = any(roles_that_admit(${organization})) as admits`.execute(db)
  return rows[0]?.admits ?? false
}

/**
 * Both ids of each member of an organization, bots included.
 * @param among these people; where not given, everybody
 */
export async function listMemberIds(
  db: Db,
  organization: OrganizationId,
  among?: readonly UserId[],
): Promise<{ id: UserId; identityId: IdentityUserId }[]> {
  const wanted = among ? sql`and m.user_id = any(${[...among]}::bigint[])` : sql``
  const { rows } = await sql<{ id: string; identityId: string }>`
    select u.id, u.identity_user_id as "identityId"
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and m.status = 'active' ${wanted} order by u.id`.execute(db)
  return rows.map((row) => ({
    id: trusted.userId(row.id),
    identityId: trusted.identityUserId(row.identityId),
  }))
}

export function toMember(row: MemberRow): MemberRecord {
  return {
    id: trusted.userId(row.id),
    identityId: trusted.identityUserId(row.identityId),
    displayName: row.displayName,
    email: row.email,
    avatarKey: row.avatarKey,
    role: row.role,
    isBot: row.isBot,
    timeZone: row.timeZone,
  }
}

/** By which the workers register that take part as a bot; null: none do. */
export async function agentNameOf(db: Db, organization: OrganizationId, bot: UserId): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select agent_name as name from memberships
    where organization_id = ${organization} and user_id = ${bot} and status = 'active'`.execute(db)
  return rows[0]?.name ?? null
}

/** The bot that the workers of a name take part as. */
export async function botOfWorkers(
  db: Db,
  organization: OrganizationId,
  agentName: string,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from memberships
    where organization_id = ${organization} and agent_name = ${agentName} and status = 'active'`.execute(db)
  return rows[0] && trusted.userId(rows[0].id)
}

/**
 * Says which workers take part as a bot. Call it under `lockMembers`.
 * @returns false where another bot of the organization has them
 */
export async function setAgentName(
  tx: Tx,
  organization: OrganizationId,
  bot: UserId,
  agentName: string | null,
): Promise<boolean> {
  const others = (await listBotMembers(tx, organization)).filter(({ id }) => id !== bot)
  if (agentName !== null && others.some((other) => other.agentName === agentName)) return false
  await tx
    .updateTable('memberships')
    .set({ agent_name: agentName })
    .where('organization_id', '=', organization)
    .where('user_id', '=', bot)
    .execute()
  return true
}
