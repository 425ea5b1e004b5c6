import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { findInvite, inviteOver, inviteRefusal } from '../../invitations/reads.ts'
import type { CodeNeeds } from '../code/ask-for-code.ts'
import { beginSignUp } from './sign-up-steps.ts'

/**
 * Signs up with the token of an invite link or of an invitation. The membership comes when the code is proven,
 * and only where the token still holds by then.
 */
export async function memberSignUp(
  needs: CodeNeeds,
  caller: CallerOf<'memberSignUp'>,
  input: Input<'memberSignUp'>,
): Promise<Reply<'memberSignUp'>> {
  const email = requireEmail(input.email)
  const invite = await findInvite(needs.db, input.inviteToken, needs.clock.now())
  if (invite === 'expired') throw inviteOver()
  if (invite === 'dead' || (invite.email !== undefined && invite.email !== email))
    throw inviteRefusal('unknown')
  const organization = invite.organization.identityId
  const purpose = { kind: 'member', token: input.inviteToken, organization } as const
  return { status: 201, body: await beginSignUp(needs, caller, email, purpose) }
}
