import { OPERATOR, recordAudit } from '../../../access/audit/audit-trail.ts'
import { type DomainRecord, findDomain, listDomains } from '../../../directory/domains/domains.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../../platform/ids.ts'
import { findProof, isPublishable, type ResolveText } from '../federated/domain-proof.ts'
import { settleClaim } from './settle-claim.ts'

interface Needs {
  db: Db
  clock: Clock
  resolveText: ResolveText
}

/** What has become of a claim; `taken`: another organization has proven the domain meanwhile. */
export interface Looked {
  domain: string
  outcome: 'verified' | 'pending' | 'taken'
}

/**
 * Looks for the records of an organization that an operator has brought back: where they are there still, its domains and
 * the single sign-on that rests on them hold at once. What is not proven by that stays a claim.
 */
export async function proveAgain(needs: Needs, organization: OrganizationId): Promise<Looked[]> {
  const claims = (await listDomains(needs.db, organization)).filter(({ state }) => state !== 'verified')
  // together: an operator waits for them, and a name server that is silent takes seconds for each
  const proofs = await Promise.all(
    claims.map(({ domain, challenge }) =>
      isPublishable(challenge) ? findProof(needs.resolveText, domain, challenge) : 'unknown',
    ),
  )
  const looked: Looked[] = []
  for (const [index, claim] of claims.entries()) {
    const outcome = proofs[index] === 'found' ? await settle(needs, organization, claim) : 'pending'
    looked.push({ domain: claim.domain, outcome })
  }
  return looked
}

async function settle(
  { db, clock }: Needs,
  organization: OrganizationId,
  { id, challenge }: DomainRecord,
): Promise<Looked['outcome']> {
  try {
    return await transaction(db, async (tx) => {
      if (!(await lockMembers(tx, organization))) return 'pending'
      const claim = await findDomain(tx, organization, trusted.rowId(id), { lock: true })
      if (claim?.challenge !== challenge) return 'pending'
      const now = clock.now()
      const entry = await settleClaim(tx, organization, claim, { proof: 'found', believed: false }, now)
      await recordAudit(tx, organization, OPERATOR, now, entry)
      return 'verified'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}
