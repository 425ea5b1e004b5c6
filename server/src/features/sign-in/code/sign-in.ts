import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { findEnforcedSso } from '../../../directory/domains/domains.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { findUserByEmail } from '../../../directory/users.ts'
import { type FederatedNeeds, startFederatedSignIn } from '../federated/start-federated.ts'
import { hasAccount } from '../sign-up/by-invitation.ts'
import { askForCode, type CodeNeeds } from './ask-for-code.ts'

interface Needs extends FederatedNeeds, CodeNeeds {}

/**
 * Mails a code, or answers where the single sign-on of the address's organization begins. Never makes an account,
 * and never tells whether there is one.
 */
export async function signIn(
  needs: Needs,
  caller: CallerOf<'signIn'>,
  input: Input<'signIn'>,
): Promise<Reply<'signIn'>> {
  const email = requireEmail(input.email)
  const enforcedSso = await findEnforcedSso(needs, email)
  if (enforcedSso) {
    const way = { kind: 'sso', organization: enforcedSso.organization } as const
    const started = await startFederatedSignIn(needs, caller, way, email)
    return { status: 200, body: { authData: { authMethod: 'sso', ...started } } }
  }
  await askForCode(needs, caller, email, async () => ({
    hasAccount: hasAccount(needs, await findUserByEmail(needs.db, email)),
  }))
  return { status: 200, body: { authData: { authMethod: 'magic_auth' } } }
}
