import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { invalidInput } from '../../platform/refusal.ts'

/** Lists of rooms are complete, and carry the metadata of all of them. */
const ALL_METADATA_BYTES_MAX = 1024 * 1024

/**
 * That the rooms of an organization hold no more metadata together than a list may carry. For what has made it more, under
 * the lock of the audit trail: two at once are counted. What is beyond it from before stays, and can be made less.
 * @throws Refusal invalid
 */
export async function requireMetadataBelowMost(tx: Tx, organization: OrganizationId): Promise<void> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(metadata::text)), 0) as bytes from rooms
    where organization_id = ${organization} and deleted_at is null and metadata <> '{}'`.execute(tx)
  if (Number(rows[0]?.bytes) <= ALL_METADATA_BYTES_MAX) return
  const message =
    'All rooms of this organization together hold at most 1 MiB of metadata; make some of it shorter first'
  throw invalidInput([{ field: 'metadata', message }])
}

/** Whether metadata is more than what was there. */
export function isMoreMetadata(
  metadata: Record<string, unknown>,
  before: Record<string, unknown> = {},
): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) > Buffer.byteLength(JSON.stringify(before))
}
