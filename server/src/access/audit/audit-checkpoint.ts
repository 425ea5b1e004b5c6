import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityOrganizationId, OrganizationId } from '../../platform/ids.ts'
import type { StatementSigner } from '../../platform/secrets/signed-statement.ts'

/** Purpose of the key that checkpoints are signed with. */
export const CHECKPOINT_KEY = 'audit-checkpoints'
const TYPE = 'atrium-audit-checkpoint'

/** How far a trail had come at a moment. A copy kept elsewhere shows later whether the trail was written again. */
export interface AuditCheckpoint {
  organizationId: string
  /** Of the last entry, and its hash in hexadecimal digits. */
  sequence: string
  hash: string
  /** RFC 3339. */
  at: string
}

/** Where the trail of an organization ends now. */
export async function readCheckpoint(
  db: Db,
  { id, identityId }: { id: OrganizationId; identityId: IdentityOrganizationId },
  now: Date,
): Promise<AuditCheckpoint> {
  const { rows } = await sql<{ sequence: string; hash: string }>`
    select sequence, encode(hash, 'hex') as hash from audit_heads where organization_id = ${id}`.execute(db)
  const { sequence, hash } = rows[0] ?? { sequence: '0', hash: '0'.repeat(64) }
  return { organizationId: identityId, sequence, hash, at: now.toISOString() }
}

export function signCheckpoint(signer: StatementSigner, checkpoint: AuditCheckpoint): Promise<string> {
  return signer.sign(TYPE, { ...checkpoint })
}

/** A checkpoint that was kept elsewhere; undefined where none of these keys has signed it. */
export async function openCheckpoint(
  signers: readonly StatementSigner[],
  signed: string,
): Promise<AuditCheckpoint | undefined> {
  for (const signer of signers) {
    const checkpoint = await signer.verify(TYPE, signed)
    if (checkpoint) return checkpoint as unknown as AuditCheckpoint
  }
  return undefined
}

/**
 * Whether the trail still has the entry that it ended with then. `removed`: it is from before the beginning that was
 * removed when its time was over, and nothing can be said of it any more.
 */
export async function holdsCheckpoint(
  db: Db,
  organization: OrganizationId,
  { sequence, hash }: AuditCheckpoint,
): Promise<'held' | 'changed' | 'removed'> {
  if (sequence === '0') return 'held'
  const { rows } = await sql<{ hash: string | null; removed: boolean }>`
    select encode(hash, 'hex') as hash, false as removed from audit_entries
      where organization_id = ${organization} and sequence = ${sequence}
    union all
    select case sequence when ${sequence}::bigint then encode(hash, 'hex') end, true from audit_cuts
      where organization_id = ${organization} and sequence >= ${sequence}::bigint`.execute(db)
  const [found] = rows
  if (found?.removed && found.hash === null) return 'removed'
  return found?.hash === hash ? 'held' : 'changed'
}
