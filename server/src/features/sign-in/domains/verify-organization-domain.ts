import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { type DomainRecord, findDomain } from '../../../directory/domains/domains.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseInternalId, trusted } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findProof, isPublishable, type Proof, type ResolveText } from '../federated/domain-proof.ts'
import { type EnforceNeeds, enforceOrLater } from '../federated/enforce-single-sign-on.ts'
import { toDomainClaim } from './domain-view.ts'
import { isVerifiedBy, settleClaim } from './settle-claim.ts'

interface Needs extends EnforceNeeds {
  budgets: Pick<Budgets, 'drawSignOnTrial'>
  resolveText: ResolveText
}

/** Looks for the record of a domain that the active organization claims, and records what it has found. */
export async function verifyOrganizationDomain(
  needs: Needs,
  caller: CallerOf<'verifyOrganizationDomain'>,
  input: Input<'verifyOrganizationDomain'>,
): Promise<Reply<'verifyOrganizationDomain'>> {
  const organization = caller.organization.id
  const id = parseInternalId(input.id)
  const claim = id === undefined ? undefined : await findDomain(needs.db, organization, id)
  if (!claim) throw Refusal.of('domain-not-found')
  // of the identity provider: there is no record to look for
  if (!isPublishable(claim.challenge)) return { status: 200, body: { domain: toDomainClaim(claim) } }
  await needs.budgets.drawSignOnTrial(caller, organization)
  const proof = await findProof(needs.resolveText, claim.domain, claim.challenge)
  if (proof === 'unknown') throw Refusal.of('dns-unavailable')
  const settled = await settle(needs, caller, claim, proof)
  if (isVerifiedBy({ proof, believed: false }, claim)) await enforceOrLater(needs, { domain: claim.domain })
  return { status: 200, body: { domain: toDomainClaim(settled) } }
}

async function settle(
  needs: Needs,
  caller: CallerOf<'verifyOrganizationDomain'>,
  { id: text, challenge }: DomainRecord,
  proof: Proof,
): Promise<DomainRecord> {
  const organization = caller.organization.id
  const id = trusted.rowId(text)
  const now = needs.clock.now()
  try {
    return await transaction(needs.db, async (tx) => {
      // deleted while the DNS was asked: its domains have no owner
      if (!(await lockMembers(tx, organization))) throw Refusal.of('no-active-organization')
      const claim = await findDomain(tx, organization, id, { lock: true })
      if (claim?.challenge !== challenge) throw Refusal.of('domain-not-found')
      const entry = await settleClaim(tx, organization, claim, { proof, believed: false }, now)
      const settled = await findDomain(tx, organization, id)
      await recordAudit(tx, organization, caller, now, entry)
      return settled as DomainRecord
    })
  } catch (error) {
    throw isUniqueViolation(error) ? Refusal.of('domain-taken') : error
  }
}
