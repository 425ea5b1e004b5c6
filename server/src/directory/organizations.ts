import type { GeneratedAlways } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, trusted } from '../platform/ids.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    organizations: {
      id: GeneratedAlways<string>
      identity_organization_id: string
      name: string
      logo_key: string | null
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

/** Every organization that is not deleted, oldest first. */
export async function listOrganizations(db: Db): Promise<OrganizationRef[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'identity_organization_id'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: trusted.organizationId(row.id),
    identityId: trusted.identityOrganizationId(row.identity_organization_id),
  }))
}
