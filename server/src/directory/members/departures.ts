import type { Role } from '@atrium/contract'
import { sql } from 'kysely'
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
  }
}

/** What kind of author has removed somebody. */
export type Remover = 'user' | 'operator' | 'identity-provider' | 'directory'

/** How somebody ceased to be a member. */
export type DepartureCause = { kind: 'left' } | { kind: 'removed'; removedBy: Remover }

/** That somebody was a member and is none any more, and the role they had. */
export type Departure = DepartureCause & { role: Role }

/** How somebody ceased to be a member; undefined where they never were one, or are one again. */
export async function readDeparture(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<Departure | undefined> {
  const row = await db
    .selectFrom('membership_departures')
    .select(['kind', 'removed_by', 'role'])
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (!row) return undefined
  const { role } = row
  return row.kind === 'removed'
    ? { kind: 'removed', removedBy: row.removed_by as Remover, role }
    : { kind: 'left', role }
}

/**
 * Organizations that somebody belongs to no longer, and did at a moment or since: they left or were removed, their
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

/** Writes down how a member goes, before the membership is deleted: its role is read from it. */
export async function insertDeparture(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  cause: DepartureCause,
  now: Date,
): Promise<void> {
  const removedBy = cause.kind === 'removed' ? cause.removedBy : null
  await sql`
    insert into membership_departures (organization_id, user_id, kind, removed_by, role, at)
    select organization_id, user_id, ${cause.kind}, ${removedBy}, role, ${now} from memberships
    where organization_id = ${organization} and user_id = ${user}
    on conflict (organization_id, user_id) do update set kind = excluded.kind, removed_by = excluded.removed_by,
      role = excluded.role, at = excluded.at`.execute(tx)
}

/** They are a member again. */
export async function deleteDeparture(db: Db, organization: OrganizationId, user: UserId): Promise<void> {
  await db
    .deleteFrom('membership_departures')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}
