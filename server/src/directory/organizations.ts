import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, trusted } from '../platform/ids.ts'

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
  organization: { identityId: IdentityOrganizationId; name: string },
  now: Date,
): Promise<OrganizationRef> {
  const row = await db
    .insertInto('organizations')
    .values({
      identity_organization_id: organization.identityId,
      name: organization.name,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: trusted.organizationId(row.id), identityId: organization.identityId }
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

/** Shows another logo, or none. @returns the key of the one before */
export async function replaceLogo(
  db: Db,
  id: OrganizationId,
  key: string | null,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`
    with before as (select id, logo_key from organizations where id = ${id} and deleted_at is null for update)
    update organizations o set logo_key = ${key}, updated_at = ${now} from before b where o.id = b.id
    returning b.logo_key as before`.execute(db)
  if (!rows[0]) throw new Error('the organization is gone')
  return rows[0].before
}

/** Which of these logos an organization shows. */
export async function shownLogos(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select logo_key as key from organizations
    where logo_key = any(${keys}::text[]) and deleted_at is null`.execute(db)
  return rows.map(({ key }) => key)
}
