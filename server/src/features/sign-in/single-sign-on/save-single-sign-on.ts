import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { invalidInput } from '../../../platform/refusal.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { requireConnections, requireIssuer } from './rules.ts'
import { readSignOn, type SignOnViewNeeds } from './sign-on-view.ts'

interface Needs extends SignOnViewNeeds {
  identity: Pick<IdentityPort, 'connections'>
  issuersByHttpsOnly: boolean
  /** No issuer at an address of our own network: who stands behind a name is judged when it is called. */
  issuersPublicOnly: boolean
}

/** Keeps a connection of the active organization as its draft. It signs no user in, and asks the issuer nothing. */
export async function saveSingleSignOn(
  needs: Needs,
  caller: CallerOf<'saveSingleSignOn'>,
  input: Input<'saveSingleSignOn'>,
): Promise<Reply<'saveSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  const { id: organization, identityId } = caller.organization
  const clientId = input.clientId.trim()
  const issuer = requireIssuer(input.issuer, {
    httpsOnly: needs.issuersByHttpsOnly,
    publicOnly: needs.issuersPublicOnly,
  })
  if (clientId === '') throw invalidInput([{ field: 'clientId', message: 'Enter a client id' }])
  const trustsEmail = input.trustsEmail === true
  const draft = { issuer, clientId, clientSecret: input.clientSecret, trustsEmail }
  const now = needs.clock.now()
  const body = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    if (!(await connections.saveDraft(tx, identityId, draft, now)))
      throw invalidInput([{ field: 'clientSecret', message: 'Enter the client secret' }])
    await recordAudit(tx, organization, caller, now, {
      action: 'single-sign-on.saved',
      target: { kind: 'organization', id: identityId },
      detail: { issuer, clientId, trustsEmail: String(trustsEmail) },
    })
    return await readSignOn({ ...needs, db: tx }, connections, caller.organization)
  })
  return { status: 200, body }
}
