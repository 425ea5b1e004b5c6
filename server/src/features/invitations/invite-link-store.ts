import { sql } from 'kysely'
import { type OrganizationRecord, readOrganization } from '../../directory/organizations.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    invite_links: {
      organization_id: string
      token_hash: Buffer
      sealed_token: Buffer
      created_at: Date
    }
  }
}

export interface StoredLink {
  tokenHash: Buffer
  sealedToken: Buffer
}

/** Makes the link of an organization where there is none. Of several calls at once one is answered true. */
export async function insertLink(
  tx: Tx,
  organization: OrganizationId,
  link: StoredLink,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into invite_links (organization_id, token_hash, sealed_token, created_at)
    values (${organization}, ${link.tokenHash}, ${link.sealedToken}, ${now})
    on conflict (organization_id) do nothing returning organization_id`.execute(tx)
  return rows.length === 1
}

/** Puts a link in place of the former one, which is found no more. */
export async function replaceLink(
  tx: Tx,
  organization: OrganizationId,
  link: StoredLink,
  now: Date,
): Promise<void> {
  await sql`
    insert into invite_links (organization_id, token_hash, sealed_token, created_at)
    values (${organization}, ${link.tokenHash}, ${link.sealedToken}, ${now})
    on conflict (organization_id) do update set token_hash = excluded.token_hash,
      sealed_token = excluded.sealed_token, created_at = excluded.created_at`.execute(tx)
}

export async function readSealedLink(db: Db, organization: OrganizationId): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('invite_links')
    .select('sealed_token')
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row?.sealed_token
}

/**
 * The organization that a link leads into now; undefined where the link is unknown or replaced, or the
 * organization deleted. In a transaction it stays the link until that ends.
 */
export async function findLinkedOrganization(
  db: Db,
  tokenHash: Buffer,
): Promise<OrganizationRecord | undefined> {
  const row = await db
    .selectFrom('invite_links')
    .select('organization_id')
    .where('token_hash', '=', tokenHash)
    .forShare()
    .executeTakeFirst()
  return row && (await readOrganization(db, trusted.organizationId(row.organization_id)))
}
