import type { Role } from '@atrium/contract'
import { type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import {
  type Answered,
  type OrganizationId,
  type RowId,
  trusted,
  type UserId,
} from '../../../platform/ids.ts'
import type { Part } from './user-store.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    scim_groups: {
      id: GeneratedAlways<string>
      organization_id: string
      display_name: string
      external_id: string | null
      role: Role | null
      created_at: Date
      updated_at: Date
    }
    scim_group_members: { organization_id: string; group_id: string; user_id: string }
  }
}

export interface GroupRecord {
  id: string
  displayName: string
  externalId: string | null
  role: Role | null
  createdAt: Date
  updatedAt: Date
}

const columns = [
  'id',
  'display_name as displayName',
  'external_id as externalId',
  'role',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Which groups of an organization; all that are not told apart by it. */
export interface GroupSelection {
  named?: string | undefined
  ids?: readonly string[] | undefined
}

/** Groups of an organization, in the order of their ids. @param part of them; all where it is not given */
export async function listGroups(
  db: Db,
  organization: OrganizationId,
  { named, ids }: GroupSelection = {},
  { limit, after }: Partial<Part> = {},
): Promise<GroupRecord[]> {
  return await db
    .selectFrom('scim_groups')
    .select(columns)
    .where('organization_id', '=', organization)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::bigint[])`))
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .$if(named !== undefined, (query) =>
      query.where(sql<boolean>`lower(display_name) = lower(${named as string})`),
    )
    .orderBy('id')
    .execute()
}

export async function findGroup(
  db: Db,
  organization: OrganizationId,
  id: RowId,
): Promise<GroupRecord | undefined> {
  const [found] = await listGroups(db, organization, { ids: [id] })
  return found
}

/** Fails where another group has the name. @returns its id */
export async function insertGroup(
  tx: Tx,
  organization: OrganizationId,
  group: { displayName: string; externalId: string | null },
  now: Date,
): Promise<string> {
  const { id } = await tx
    .insertInto('scim_groups')
    .values({
      organization_id: organization,
      display_name: group.displayName,
      external_id: group.externalId,
      role: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateGroup(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  change: { displayName: string; externalId: string | null },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set({ display_name: change.displayName, external_id: change.externalId, updated_at: now })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

export async function setGroupRole(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  role: Role | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set({ role, updated_at: now })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

export async function deleteGroup(tx: Tx, organization: OrganizationId, id: string): Promise<void> {
  await tx
    .deleteFrom('scim_groups')
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

/** Who is in these groups, by group. */
export async function listGroupMembers(
  db: Db,
  organization: OrganizationId,
  groups: readonly string[],
): Promise<Map<string, UserId[]>> {
  const { rows } = await sql<{ group: string; id: string }>`
    select group_id as group, user_id as id from scim_group_members
    where organization_id = ${organization} and group_id = any(${groups}::bigint[])
    order by user_id`.execute(db)
  const members = new Map<string, UserId[]>()
  for (const { group, id } of rows) {
    const list = members.get(group) ?? []
    list.push(trusted.userId(id))
    members.set(group, list)
  }
  return members
}

/** How many people each group has, or each of these. */
export async function countGroupMembers(
  db: Db,
  organization: OrganizationId,
  groups: readonly string[] | null = null,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ group: string; count: string }>`
    select group_id as group, count(*) from scim_group_members
    where organization_id = ${organization}
      and (${groups}::bigint[] is null or group_id = any(${groups}::bigint[]))
    group by group_id`.execute(db)
  return new Map(rows.map(({ group, count }) => [group, Number(count)]))
}

export async function addGroupMembers(
  tx: Tx,
  organization: OrganizationId,
  group: string,
  users: readonly UserId[],
): Promise<void> {
  await sql`
    insert into scim_group_members (organization_id, group_id, user_id)
    select ${organization}, ${group}, unnest(${users}::bigint[]) on conflict do nothing`.execute(tx)
}

export async function removeGroupMembers(
  tx: Tx,
  organization: OrganizationId,
  group: string,
  users: readonly UserId[],
): Promise<void> {
  await sql`
    delete from scim_group_members
    where organization_id = ${organization} and group_id = ${group}
      and user_id = any(${users}::bigint[])`.execute(tx)
}

export interface GroupOfUser {
  id: string
  displayName: string
}

/** The groups of these people, by person. */
export async function listGroupsOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<string, GroupOfUser[]>> {
  const { rows } = await sql<{ user: string; id: string; displayName: string }>`
    select m.user_id as user, g.id, g.display_name as "displayName"
    from scim_group_members m join scim_groups g on g.id = m.group_id
    where m.organization_id = ${organization} and m.user_id = any(${users}::bigint[])
    order by g.id`.execute(db)
  const groups = new Map<string, GroupOfUser[]>()
  for (const { user, ...group } of rows) groups.set(user, [...(groups.get(user) ?? []), group])
  return groups
}

/** The role of a user, and what groups say of it. */
export interface RoleStanding {
  user: UserId
  /** Null: no member now. */
  role: Role | null
  roleByHand: Role | null
  /** What their groups give. */
  groupRoles: Role[]
}

export async function readRoleStandings(
  tx: Tx,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<RoleStanding[]> {
  const { rows } = await sql<Answered<RoleStanding>>`
    select s.user_id as user, m.role, s.role_by_hand as "roleByHand",
      array(select distinct g.role from scim_group_members gm join scim_groups g on g.id = gm.group_id
        where gm.organization_id = s.organization_id and gm.user_id = s.user_id and g.role is not null) as "groupRoles"
    from scim_users s
    left join memberships m on m.organization_id = s.organization_id and m.user_id = s.user_id and m.status = 'active'
    where s.organization_id = ${organization} and s.user_id = any(${users}::bigint[]) and s.deleted_at is null
    order by s.user_id`.execute(tx)
  return rows.map((row) => ({ ...row, user: trusted.userId(row.user) }))
}
