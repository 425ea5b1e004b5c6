import { type Generated, type GeneratedAlways, sql } from 'kysely'
import { DAY_SECONDS, secondsAfter } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, trusted, type UserId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    organizations: {
      id: GeneratedAlways<string>
      identity_organization_id: string
      name: string
      logo_key: string | null
      image_tries_spent: Generated<number>
      image_tries_began_at: Date | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
      /** Null: unknown. */
      founder_user_id: Generated<string | null>
    }
  }
}

/** Both ids of an organization: ours for tables, the identity provider's for the wire. */
export interface OrganizationRef {
  id: OrganizationId
  identityId: IdentityOrganizationId
}

export async function insertOrganization(
  db: Db,
  organization: { identityId: IdentityOrganizationId; name: string; founder?: UserId },
  now: Date,
): Promise<OrganizationRef> {
  const row = await db
    .insertInto('organizations')
    .values({
      identity_organization_id: organization.identityId,
      name: organization.name,
      founder_user_id: organization.founder ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: trusted.organizationId(row.id), identityId: organization.identityId }
}

/** How many organizations a person has founded that exist, or were deleted after a moment. */
export async function countFounded(db: Db, founder: UserId, deletedAfter: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from organizations
    where founder_user_id = ${founder} and (deleted_at is null or deleted_at > ${deletedAfter})`.execute(db)
  return rows[0]?.count ?? 0
}

/** The organization of an outside id; not the deleted ones. */
export async function findOrganization(
  db: Db,
  identityId: IdentityOrganizationId,
): Promise<OrganizationRef | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('identity_organization_id', '=', identityId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { id: trusted.organizationId(row.id), identityId }
}

/** The organization of an internal id; not the deleted ones. */
export async function findOrganizationById(db: Db, id: OrganizationId): Promise<OrganizationRef | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('identity_organization_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { id, identityId: trusted.identityOrganizationId(row.identity_organization_id) }
}

/** Makes the organization of an outside id, or answers the one there is. */
export async function ensureOrganization(
  db: Db,
  organization: { identityId: IdentityOrganizationId; name: string },
  now: Date,
): Promise<OrganizationRef> {
  const row = await db
    .insertInto('organizations')
    .values({
      identity_organization_id: organization.identityId,
      name: organization.name,
      logo_key: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.column('identity_organization_id').doUpdateSet({ deleted_at: null }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: trusted.organizationId(row.id), identityId: organization.identityId }
}

/** All organizations but the deleted ones, a part at a time: those after one, oldest first. */
export async function listOrganizationsAfter(
  db: Db,
  after: OrganizationId | undefined,
  limit: number,
): Promise<OrganizationRef[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'identity_organization_id'])
    .where('id', '>', after ?? '0')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: trusted.organizationId(row.id),
    identityId: trusted.identityOrganizationId(row.identity_organization_id),
  }))
}

export interface OrganizationRecord extends OrganizationRef {
  name: string
}

/** One organization; undefined where it is deleted. */
export async function readOrganization(db: Db, id: OrganizationId): Promise<OrganizationRecord | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select(['identity_organization_id', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      id,
      identityId: trusted.identityOrganizationId(row.identity_organization_id),
      name: row.name,
    }
  )
}

/** What people see of an organization that is alive. */
export async function readOrganizationFace(
  db: Db,
  id: OrganizationId,
): Promise<{ name: string; logoKey: string | null } | undefined> {
  return await db
    .selectFrom('organizations')
    .select(['name', 'logo_key as logoKey'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** What an organization is called, or was before it was deleted: for what still comes in about it. */
export async function nameOrganization(db: Db, id: OrganizationId): Promise<OrganizationRecord> {
  const row = await db
    .selectFrom('organizations')
    .select(['identity_organization_id', 'name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, identityId: trusted.identityOrganizationId(row.identity_organization_id), name: row.name }
}

/** Those of some organizations that are not deleted. */
export async function listOrganizationsById(
  db: Db,
  ids: readonly OrganizationId[],
): Promise<OrganizationRecord[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'identity_organization_id', 'name'])
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...ids]))))
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: trusted.organizationId(row.id),
    identityId: trusted.identityOrganizationId(row.identity_organization_id),
    name: row.name,
  }))
}

/** Organizations that were renamed, deleted or otherwise changed since a moment, whichever they are. */
export async function organizationsChangedSince(db: Db, since: Date): Promise<OrganizationId[]> {
  const rows = await db.selectFrom('organizations').select('id').where('updated_at', '>', since).execute()
  return rows.map(({ id }) => trusted.organizationId(id))
}

export async function renameOrganization(db: Db, id: OrganizationId, name: string, now: Date): Promise<void> {
  await db.updateTable('organizations').set({ name, updated_at: now }).where('id', '=', id).execute()
}

/**
 * Hides an organization from all: its data stays, so that it can be brought back. But its domains are free from now on,
 * and their next owners can prove them. Call it with the members locked (`lockMembers`), so that no proof of a domain
 * runs meanwhile.
 */
export async function markOrganizationDeleted(tx: Tx, id: OrganizationId, now: Date): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
  await releaseDomains(tx, id)
}

/** Its domains are claims again, which nothing proves. */
async function releaseDomains(tx: Tx, organization: OrganizationId): Promise<void> {
  await tx
    .updateTable('organization_domains')
    .set({ state: 'pending', proven_by_dns: false, verified_at: null })
    .where('organization_id', '=', organization)
    .execute()
}

/** How long a deleted organization can be brought back. */
const RECOVERABLE_SECONDS = 30 * DAY_SECONDS

/** What was deleted after this moment can be brought back. */
export function recoverableSince(now: Date): Date {
  return secondsAfter(now, -RECOVERABLE_SECONDS)
}

/**
 * Brings back an organization that was deleted within the last 30 days. Its domains are claims, which are to be proven
 * again: they were not looked up meanwhile.
 * @returns undefined where there is none
 */
export async function undeleteOrganization(
  tx: Tx,
  identityId: IdentityOrganizationId,
  now: Date,
): Promise<OrganizationRef | undefined> {
  const row = await tx
    .updateTable('organizations')
    .set({ deleted_at: null, updated_at: now })
    .where('identity_organization_id', '=', identityId)
    .where('deleted_at', '>', recoverableSince(now))
    // one that has moved is taken back as it was
    .where(
      sql<boolean>`not exists (select from organization_moves v
        where v.organization_id = organizations.id and v.confirmed_at is null)`,
    )
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  const id = trusted.organizationId(row.id)
  // one that an earlier release has deleted had kept them
  await releaseDomains(tx, id)
  return { id, identityId }
}

/**
 * Shows another logo, or none.
 * @returns the key of the one before
 * @throws Refusal forbidden where the organization was deleted meanwhile
 */
export async function replaceLogo(
  db: Db,
  id: OrganizationId,
  key: string | null,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`
    with before as (select id, logo_key from organizations where id = ${id} and deleted_at is null for no key update)
    update organizations o set logo_key = ${key}, updated_at = ${now} from before b where o.id = b.id
    returning b.logo_key as before`.execute(db)
  if (!rows[0]) throw Refusal.of('no-active-organization')
  return rows[0].before
}

/** Which of these logos an organization shows. */
export async function shownLogos(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select logo_key as key from organizations
    where logo_key = any(${keys}::text[]) and deleted_at is null`.execute(db)
  return rows.map(({ key }) => key)
}

/** Which of these logos an organization shows, or will show again once it is brought back. */
export async function keptLogos(db: Db, keys: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select logo_key as key from organizations
    where logo_key = any(${keys}::text[]) and (deleted_at is null or deleted_at > ${recoverableSince(now)}
      or exists (select from organization_moves v
        where v.organization_id = organizations.id and v.confirmed_at is null))`.execute(db)
  return rows.map(({ key }) => key)
}
