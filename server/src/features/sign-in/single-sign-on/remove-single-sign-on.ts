import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { type EnforceNeeds, enforceOrLater } from '../federated/enforce-single-sign-on.ts'
import { requireConnections } from './rules.ts'

interface Needs extends EnforceNeeds {
  identity: Pick<IdentityPort, 'connections' | 'hasSingleSignOn'>
}

/** Takes away the draft of the active organization, and what is in force. */
export async function removeSingleSignOn(
  needs: Needs,
  caller: CallerOf<'removeSingleSignOn'>,
): Promise<Reply<'removeSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  const { id: organization, identityId } = caller.organization
  const now = needs.clock.now()
  const removed = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const found = await connections.remove(tx, identityId)
    if (!found.inForce && !found.draft) throw Refusal.of('single-sign-on-not-set-up')
    await recordAudit(tx, organization, caller, now, {
      action: 'single-sign-on.removed',
      target: { kind: 'organization', id: identityId },
    })
    return found
  })
  if (removed.inForce) await enforceOrLater(needs, { organization })
  return { status: 204 }
}
