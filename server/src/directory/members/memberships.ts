import type { Role } from '@atrium/contract'
import { type Generated, type RawBuilder, sql } from 'kysely'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'
import { deleteDeparture, readDeparture } from './departures.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    memberships: {
      organization_id: string
      user_id: string
      role: Role
      status: 'active' | 'pending' | 'inactive'
      /** Another one for each stretch of active membership; given by the database. */
      generation: Generated<string>
      /** The person's name in lower case, by which members are listed; kept by the database. */
      sort_name: Generated<string>
      /** Of a bot: the name by which the workers register that take part as it. */
      agent_name: Generated<string | null>
      created_at: Date
      updated_at: Date
    }
  }
}

/** One active membership of a person, with the organization it is in. */
export interface MembershipRecord {
  organizationId: OrganizationId
  organizationIdentityId: IdentityOrganizationId
  organizationName: string
  role: Role
}

/** Within a statement: whether a person is by then an active member, with one of these roles, of an organization that is there. */
export function isMemberWith(
  organization: OrganizationId,
  user: UserId,
  roles: readonly Role[],
): RawBuilder<boolean> {
  return sql`exists (select from memberships m join organizations o on o.id = m.organization_id
    where m.organization_id = ${organization} and m.user_id = ${user} and m.status = 'active'
      and m.role = any(${roles}::text[]) and o.deleted_at is null)`
}

/** The organizations that a person may work in now, oldest membership first. */
export async function listActiveMemberships(db: Db, user: UserId): Promise<MembershipRecord[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.identity_organization_id', 'o.name', 'm.role'])
    .where('m.user_id', '=', user)
    .where('m.status', '=', 'active')
    .where('o.deleted_at', 'is', null)
    .orderBy('m.created_at')
    .orderBy('m.organization_id')
    .execute()
  return rows.map((row) => ({
    organizationId: trusted.organizationId(row.id),
    organizationIdentityId: trusted.identityOrganizationId(row.identity_organization_id),
    organizationName: row.name,
    role: row.role,
  }))
}

/**
 * Makes a person an active member who never was one. A membership that is there already stays as it is, and a former
 * member stays out: `access/admission.ts` alone decides whether they may come back.
 * @returns whether it is new
 */
export async function addMembership(
  db: Db,
  membership: { organization: OrganizationId; user: UserId; role: Role },
  now: Date,
): Promise<boolean> {
  if (await readDeparture(db, membership.organization, membership.user)) return false
  return await insertMembership(db, membership, now)
}

/** The same for a former member who may be one again. */
export async function restoreMembership(
  db: Db,
  membership: { organization: OrganizationId; user: UserId; role: Role },
  now: Date,
): Promise<boolean> {
  await deleteDeparture(db, membership.organization, membership.user)
  return await insertMembership(db, membership, now)
}

async function insertMembership(
  db: Db,
  membership: { organization: OrganizationId; user: UserId; role: Role },
  now: Date,
): Promise<boolean> {
  // of an account that is being closed at this moment: the closing has ended the memberships that it had
  const { rows } = await sql`
    insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
    select ${membership.organization}, id, ${membership.role}, 'active', ${now}, ${now} from users
    where id = ${membership.user} and deleted_at is null for key share
    on conflict (organization_id, user_id) do nothing
    returning user_id`.execute(db)
  return rows.length === 1
}

/**
 * Whether a person is an active member and has been one without a break since a moment.
 * @param since rounded down to whole seconds: a membership that began within that second counts
 */
export async function isMemberSince(
  db: Db,
  organization: OrganizationId,
  user: UserId,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .where('status', '=', 'active')
    .where('created_at', '<', secondsAfter(since, 1))
    .executeTakeFirst()
  return row !== undefined
}

/** An active membership with both ids of its owner, and the name of this stretch of it. */
export async function findActiveMembership(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<
  { user: { id: UserId; identityId: IdentityUserId }; role: Role; membershipGeneration: string } | undefined
> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.identity_user_id as identityId', 'm.role', 'm.generation'])
    .where('m.organization_id', '=', organization)
    .where('m.user_id', '=', user)
    .where('m.status', '=', 'active')
    .executeTakeFirst()
  return (
    row && {
      user: { id: user, identityId: trusted.identityUserId(row.identityId) },
      role: row.role,
      membershipGeneration: row.generation,
    }
  )
}

/** A person's membership of any status. */
export interface MembershipState {
  role: Role
  status: 'active' | 'pending' | 'inactive'
}

/** The state of every membership of an organization that the identity provider knows: not those of bots. */
export async function listMembershipStates(
  db: Db,
  organization: OrganizationId,
): Promise<Map<IdentityUserId, MembershipState>> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.identity_user_id', 'm.role', 'm.status'])
    .where('m.organization_id', '=', organization)
    .where('u.is_bot', '=', false)
    .execute()
  return new Map(
    rows.map(({ identity_user_id, role, status }) => [
      trusted.identityUserId(identity_user_id),
      { role, status },
    ]),
  )
}

export async function readMembershipState(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<MembershipState | undefined> {
  return await db
    .selectFrom('memberships')
    .select(['role', 'status'])
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .executeTakeFirst()
}

/** Makes a membership as it is said to be, whether there was one before or not. */
export async function putMembership(
  db: Db,
  membership: { organization: OrganizationId; user: UserId } & MembershipState,
  now: Date,
): Promise<void> {
  const { organization, user, role, status } = membership
  await deleteDeparture(db, organization, user)
  await db
    .insertInto('memberships')
    .values({ organization_id: organization, user_id: user, role, status, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role, status, updated_at: now }),
    )
    .execute()
}
