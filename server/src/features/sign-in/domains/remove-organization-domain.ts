import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { findDomain, removeDomain } from '../../../directory/domains/domains.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseInternalId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type EnforceNeeds, enforceOrLater } from '../federated/enforce-single-sign-on.ts'
import { entryOn } from './settle-claim.ts'

/** Gives a domain of the active organization up. Sessions that only its single sign-on has allowed end. */
export async function removeOrganizationDomain(
  needs: EnforceNeeds,
  caller: CallerOf<'removeOrganizationDomain'>,
  input: Input<'removeOrganizationDomain'>,
): Promise<Reply<'removeOrganizationDomain'>> {
  const organization = caller.organization.id
  const id = parseInternalId(input.id)
  if (id === undefined) throw Refusal.of('domain-not-found')
  const now = needs.clock.now()
  const removed = await transaction(needs.db, async (tx) => {
    const domain = await findDomain(tx, organization, id, { lock: true })
    if (!domain || !(await removeDomain(tx, organization, domain.domain)))
      throw Refusal.of('domain-not-found')
    await recordAudit(tx, organization, caller, now, entryOn('domain.removed', domain.domain))
    return domain
  })
  if (removed.state === 'verified') await enforceOrLater(needs, { domain: removed.domain })
  return { status: 204 }
}
