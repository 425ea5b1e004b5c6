import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'
import type { Expected, PresenceOwner } from './change-presence.ts'
import type { Status } from './rules.ts'

/** A member who is not offline, or has left the organization. */
export interface PollRow extends PresenceOwner, Expected {
  member: boolean
}

interface Ids {
  organizationId: string
  organizationIdentityId: string
  userId: string
  userIdentityId: string
}

const ids = sql`o.id as "organizationId", o.identity_organization_id as "organizationIdentityId",
  u.id as "userId", u.identity_user_id as "userIdentityId"`

/** All who are not offline. */
export async function listPresent(db: Db): Promise<PollRow[]> {
  // as the index `presence_present` has it
  return await listRows(db, sql`presence`, sql`p.status <> 'offline'`)
}

/** Of these people, each in one organization, those who are not offline, and what is left of those who are gone. */
export async function listForEndings(
  db: Db,
  places: readonly { organization: OrganizationId; user: UserId }[],
): Promise<PollRow[]> {
  if (places.length === 0) return []
  const organizations = places.map(({ organization }) => organization)
  const users = places.map(({ user }) => user)
  return await listRows(
    db,
    sql`presence`,
    sql`(p.organization_id, p.user_id) in
      (select * from unnest(${organizations}::bigint[], ${users}::bigint[]))
      and (p.status <> 'offline' or ${isGone})`,
  )
}

/** Of so many rows each call finds those that former members have left behind. */
const SEARCHED_AT_ONCE = 50

/**
 * Finds what is left of people who are gone and were offline: what ends with a membership has failed, or came too late.
 * There is next to nothing, and no event follows: each call goes on through the table where the last one ended.
 */
export function leftoverSearch(db: Db): () => Promise<PollRow[]> {
  let after = { organization: '0', user: '0' }
  return async () => {
    const part = sql`(select * from presence
      where (organization_id, user_id) > (${after.organization}::bigint, ${after.user}::bigint)
      order by organization_id, user_id limit ${SEARCHED_AT_ONCE})`
    const { rows } = await sql<{ organization: string; user: string }>`
      select organization_id as organization, user_id as user from ${part} part
      order by organization_id desc, user_id desc limit 1`.execute(db)
    const found = rows[0] ? await listRows(db, part, isGone) : []
    after = rows[0] ?? { organization: '0', user: '0' }
    return found
  }
}

const isGone = sql`(m.status is distinct from 'active' or o.deleted_at is not null)`

async function listRows(
  db: Db,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<PollRow[]> {
  const { rows } = await sql<Ids & { status: Status; confirmedAt: Date; member: boolean }>`
    select ${ids},
      p.status, p.confirmed_at as "confirmedAt",
      (m.status is not distinct from 'active' and o.deleted_at is null) as member
    from ${table} p
      join organizations o on o.id = p.organization_id
      join users u on u.id = p.user_id
      left join memberships m on m.organization_id = p.organization_id and m.user_id = p.user_id
    where ${condition}`.execute(db)
  return rows.map((row) => ({
    ...toPresenceOwner(row),
    status: row.status,
    confirmedAt: row.confirmedAt,
    member: row.member,
  }))
}

/** The places of people whom the broker shows in organizations, as far as they are active members there. */
export async function findPlaces(
  db: Db,
  connected: readonly { organization: IdentityOrganizationId; user: IdentityUserId }[],
): Promise<PresenceOwner[]> {
  if (connected.length === 0) return []
  const organizations = connected.map(({ organization }) => organization)
  const users = connected.map(({ user }) => user)
  const { rows } = await sql<Ids>`
    select ${ids}
    from unnest(${organizations}::text[], ${users}::text[]) as live (organization, person)
      join organizations o on o.identity_organization_id = live.organization and o.deleted_at is null
      join users u on u.identity_user_id = live.person
      join memberships m on m.organization_id = o.id and m.user_id = u.id and m.status = 'active'`.execute(db)
  return rows.map(toPresenceOwner)
}

/** A member with a choice that has ended. */
export type EndedChoice = PresenceOwner & Expected & { endsAt: Date }

/** Members with a choice that was to end by now, those who have waited longest first. */
export async function listEnded(db: Db, now: Date, limit: number): Promise<EndedChoice[]> {
  const { rows } = await sql<Ids & Expected & { endsAt: Date }>`
    select ${ids}, p.status, p.confirmed_at as "confirmedAt", p.choice_ends_at as "endsAt"
    from presence p join organizations o on o.id = p.organization_id join users u on u.id = p.user_id
    where p.choice_ends_at <= ${now} order by p.choice_ends_at limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...toPresenceOwner(row),
    status: row.status,
    confirmedAt: row.confirmedAt,
    endsAt: row.endsAt,
  }))
}

/** Every organization in which something is stored of a person. */
export async function listPlacesOf(db: Db, user: UserId): Promise<PresenceOwner[]> {
  const { rows } = await sql<Ids>`
    select ${ids}
    from presence p join organizations o on o.id = p.organization_id join users u on u.id = p.user_id
    where p.user_id = ${user} and o.deleted_at is null order by o.id`.execute(db)
  return rows.map(toPresenceOwner)
}

/** What the poll knows of the broker, kept where every node finds it. */
export interface BrokerMemory {
  /** Null: never asked. */
  generation: string | null
  /** Until then an absence proves nothing. */
  quietUntil: Date | null
}

export async function readBrokerMemory(db: Db): Promise<BrokerMemory> {
  const row = await db
    .selectFrom('presence_poll')
    .select(['generation', 'quiet_until'])
    .executeTakeFirstOrThrow()
  return { generation: row.generation, quietUntil: row.quiet_until }
}

export async function writeBrokerMemory(db: Db, memory: BrokerMemory): Promise<void> {
  await db
    .updateTable('presence_poll')
    .set({ generation: memory.generation, quiet_until: memory.quietUntil })
    .execute()
}

function toPresenceOwner(row: Ids): PresenceOwner {
  return {
    organization: {
      id: trusted.organizationId(row.organizationId),
      identityId: trusted.identityOrganizationId(row.organizationIdentityId),
    },
    user: { id: trusted.userId(row.userId), identityId: trusted.identityUserId(row.userIdentityId) },
  }
}
