import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { type EnforceNeeds, enforceOrLater } from '../federated/enforce-single-sign-on.ts'
import { requireConnections } from './rules.ts'
import { readSignOn, type SignOnViewNeeds } from './sign-on-view.ts'

interface Needs extends EnforceNeeds, SignOnViewNeeds {
  identity: Pick<IdentityPort, 'connections' | 'hasSingleSignOn'>
}

/** Takes the single sign-on of the active organization out of force. It is kept as the draft, to be tested again. */
export async function deactivateSingleSignOn(
  needs: Needs,
  caller: CallerOf<'deactivateSingleSignOn'>,
): Promise<Reply<'deactivateSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  const { id: organization, identityId } = caller.organization
  const now = needs.clock.now()
  const body = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    if (!(await connections.deactivate(tx, identityId, now))) throw Refusal.of('single-sign-on-not-set-up')
    await recordAudit(tx, organization, caller, now, {
      action: 'single-sign-on.deactivated',
      target: { kind: 'organization', id: identityId },
    })
    return await readSignOn({ ...needs, db: tx }, connections, caller.organization)
  })
  await enforceOrLater(needs, { organization })
  return { status: 200, body }
}
