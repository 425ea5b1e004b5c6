import type { Role } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    membership_departures: {
      organization_id: string
      user_id: string
      kind: 'left' | 'removed'
      removed_by: Remover | null
      role: Role
      at: Date
    }
    removed_addresses: {
      organization_id: string
      salt: string
      hash: string
      removed_by: Remover
      role: Role
      at: Date
    }
  }
}

/** The kind of author of a removal. */
export type Remover = 'user' | 'operator' | 'identity-provider' | 'directory'

/** How a membership ended. */
export type DepartureCause = { kind: 'left' } | { kind: 'removed'; removedBy: Remover }

/** The end of a membership, the role of that time, and since when. */
export type Departure = DepartureCause & { role: Role; at: Date }

/** Whether a removal was that of an account, closed since, which had the address that the account `u` has. */
const isOfAddress = sql<boolean>`r.hash = ${hashOf(sql`r.salt`, sql`u.email`)}`

function hashOf(salt: RawBuilder<unknown>, email: RawBuilder<unknown>) {
  return sql`encode(sha256(convert_to(${salt} || ${email}, 'UTF8')), 'hex')`
}

/**
 * How a person's membership ended, under this account or under a closed one with their address; undefined where they
 * never were a member, or are one again.
 */
export async function readDeparture(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<Departure | undefined> {
  const { rows } = await sql<{ kind: 'left' | 'removed'; removedBy: Remover | null; role: Role; at: Date }>`
    select kind, removed_by as "removedBy", role, at from membership_departures
    where organization_id = ${organization} and user_id = ${user}
    union all
    select 'removed', r.removed_by, r.role, r.at from removed_addresses r, users u
    where r.organization_id = ${organization} and u.id = ${user} and ${isOfAddress}
    order by at desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { role, at } = row
  return row.kind === 'removed'
    ? { kind: 'removed', removedBy: row.removedBy as Remover, role, at }
    : { kind: 'left', role, at }
}

/**
 * Organizations that a person belongs to no longer, and did at a moment or since: they left or were removed, their
 * membership was put to sleep, or the organization was deleted.
 */
export async function listLeftSince(db: Db, user: UserId, since: Date): Promise<OrganizationId[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from membership_departures where user_id = ${user} and at >= ${since}
    union
    select o.id from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${user}
      and (o.deleted_at >= ${since} or (m.status = 'inactive' and m.updated_at >= ${since}))`.execute(db)
  return rows.map(({ id }) => trusted.organizationId(id))
}

/** An account is about to be closed: where it was removed by others, that holds for its addresses from now on. */
export async function keepRemovals(tx: Tx, user: UserId): Promise<void> {
  await sql`
    insert into removed_addresses (organization_id, salt, hash, removed_by, role, at)
    select d.organization_id, s.salt, ${hashOf(sql`s.salt`, sql`a.email`)}, d.removed_by, d.role, d.at
    from users u
      join membership_departures d on d.user_id = u.id and d.kind = 'removed'
      cross join lateral (select u.email union select former from unnest(u.former_emails) as former
        where not exists (select from users x where x.email = former)) a (email)
      cross join (select gen_random_uuid()::text as salt) s
    where u.id = ${user}
    on conflict (organization_id, hash) do nothing`.execute(tx)
}

/**
 * Writes down how a member goes, before the membership is deleted.
 * @param role the one they had: that of the membership where not given
 */
export async function insertDeparture(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  { role, ...cause }: DepartureCause & { role?: Role },
  now: Date,
): Promise<void> {
  const removedBy = cause.kind === 'removed' ? cause.removedBy : null
  await sql`
    insert into membership_departures (organization_id, user_id, kind, removed_by, role, at)
    select organization_id, user_id, ${cause.kind}, ${removedBy}, coalesce(${role ?? null}, role), ${now} from memberships
    where organization_id = ${organization} and user_id = ${user}
    on conflict (organization_id, user_id) do update set kind = excluded.kind, removed_by = excluded.removed_by,
      role = excluded.role, at = excluded.at`.execute(tx)
}

/**
 * Keeps out a person who is no member: one who has left, or never was one. Who was removed already stays so.
 * @param role of a person who never was a member
 * @returns whether that is new
 */
export async function keepOut(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  { removedBy, role }: { removedBy: Remover; role: Role },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into membership_departures as d (organization_id, user_id, kind, removed_by, role, at)
    values (${organization}, ${user}, 'removed', ${removedBy}, ${role}, ${now})
    on conflict (organization_id, user_id) do update set kind = excluded.kind, removed_by = excluded.removed_by,
      at = excluded.at where d.kind = 'left'
    returning 1`.execute(tx)
  return rows.length > 0
}

/** They are a member again. */
export async function deleteDeparture(db: Db, organization: OrganizationId, user: UserId): Promise<void> {
  await db
    .deleteFrom('membership_departures')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
  await sql`
    delete from removed_addresses r using users u
    where r.organization_id = ${organization} and u.id = ${user} and ${isOfAddress}`.execute(db)
}
