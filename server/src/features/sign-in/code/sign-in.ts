import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { findCapture } from '../../../directory/domains.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { findUserByEmail } from '../../../directory/users.ts'
import { type ElsewhereNeeds, startElsewhere } from '../federated/start-elsewhere.ts'
import { askForCode, type CodeNeeds } from './ask-for-code.ts'

interface Needs extends ElsewhereNeeds, CodeNeeds {}

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
  const capture = await findCapture(needs, email)
  if (capture) {
    const elsewhere = { kind: 'sso', organization: capture.organization } as const
    const started = await startElsewhere(needs, caller, elsewhere, email)
    return { status: 200, body: { authData: { authMethod: 'sso', ...started } } }
  }
  await askForCode(needs, caller, email, async () => ({
    hasAccount: (await findUserByEmail(needs.db, email)) !== undefined,
  }))
  return { status: 200, body: { authData: { authMethod: 'magic_auth' } } }
}
