import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { findOwnerOfDomain } from '../../../directory/domains/domains.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { ConnectionDraft } from '../../../ports/connections.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { type EnforceNeeds, enforceOrLater } from '../federated/enforce-single-sign-on.ts'
import { requireConnections, TEST_HOLDS_SECONDS } from './rules.ts'
import { readSignOn, type SignOnViewNeeds } from './sign-on-view.ts'

interface Needs extends EnforceNeeds, SignOnViewNeeds {
  identity: Pick<IdentityPort, 'connections' | 'hasSingleSignOn'>
}

/** Puts the draft of the active organization in force, after a recent successful test of it. */
export async function activateSingleSignOn(
  needs: Needs,
  caller: CallerOf<'activateSingleSignOn'>,
): Promise<Reply<'activateSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  const { id: organization, identityId } = caller.organization
  const now = needs.clock.now()
  const body = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const { draft } = await connections.find(tx, identityId)
    if (!draft) throw Refusal.of('single-sign-on-not-set-up')
    if (!(await isTested(tx, organization, draft, now))) throw Refusal.of('single-sign-on-not-tested')
    await connections.activate(tx, identityId, now)
    const { issuer, clientId, trustsEmail } = draft
    await recordAudit(tx, organization, caller, now, {
      action: 'single-sign-on.connected',
      target: { kind: 'organization', id: identityId },
      detail: { issuer, clientId, trustsEmail: String(trustsEmail) },
    })
    return await readSignOn({ ...needs, db: tx }, connections, caller.organization)
  })
  await enforceOrLater(needs, { organization })
  return { status: 200, body }
}

/** Not long ago, and by an address of a domain that is the organization's still. */
async function isTested(
  tx: Tx,
  organization: OrganizationId,
  { tested }: ConnectionDraft,
  now: Date,
): Promise<boolean> {
  if (!tested || secondsAfter(tested.at, TEST_HOLDS_SECONDS) < now) return false
  return (await findOwnerOfDomain(tx, tested.domain))?.id === organization
}
