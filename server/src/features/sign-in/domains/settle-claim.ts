import type { AuditAction } from '@atrium/contract'
import type { AuditEntry } from '../../../access/audit/audit-trail.ts'
import { type DomainRecord, keepLookUp, settleDomain } from '../../../directory/domains/domains.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { Proof } from '../federated/domain-proof.ts'

/** What is known of a claim when it is settled. */
export interface Found {
  proof: Proof
  /** The operator knows the owner of the domain. */
  believed: boolean
}

/** Whether a domain is its claimant's. What was verified once stays so: whether it is proven is another question. */
export function isVerifiedBy({ proof, believed }: Found, claim: Pick<DomainRecord, 'state'>): boolean {
  return believed || proof === 'found' || claim.state === 'verified'
}

/**
 * Records what has become of a claim.
 * @returns the entry for the audit trail
 * @throws a unique violation where another organization has proven the domain
 */
export async function settleClaim(
  tx: Tx,
  organization: OrganizationId,
  claim: Pick<DomainRecord, 'domain' | 'state'>,
  found: Found,
  now: Date,
): Promise<AuditEntry> {
  const { domain } = claim
  const isVerified = isVerifiedBy(found, claim)
  await settleDomain(tx, { organization, domain, state: isVerified ? 'verified' : 'failed' }, now)
  // what is believed may be proven all the same: the running office looks it up
  if (found.proof !== 'unknown')
    await keepLookUp(tx, { organization, domain, proven: found.proof === 'found' }, now)
  const action = isVerified ? 'domain.verified' : 'domain.verification-failed'
  const provenBy = found.proof === 'found' ? 'dns' : found.believed ? 'operator' : 'nothing'
  return { ...entryOn(action, domain), detail: { provenBy } }
}

export function entryOn(action: AuditAction, domain: string): AuditEntry {
  return { action, target: { kind: 'domain', id: domain } }
}
