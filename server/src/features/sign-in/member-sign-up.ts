import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findInvite } from '../invitations/reads.ts'
import { beginSignUp, type SignUpNeeds } from './sign-up-steps.ts'

/**
 * Signs up with the token of an invite link or of an invitation. The membership comes when the code is proven,
 * and only where the token still holds by then.
 */
export async function memberSignUp(
  needs: SignUpNeeds,
  _caller: CallerOf<'memberSignUp'>,
  input: Input<'memberSignUp'>,
): Promise<Reply<'memberSignUp'>> {
  const email = requireEmail(input.email)
  const invite = await findInvite(needs.db, input.inviteToken, needs.clock.now())
  if (invite === 'expired')
    throw new Refusal('gone', 'The invitation is over', { error: 'invitation-expired' })
  if (invite === 'dead' || (invite.email !== undefined && invite.email !== email)) {
    throw new Refusal('invalid', 'This invitation does not work', { error: 'invalid-invite-token' })
  }
  const pending = { kind: 'member', token: input.inviteToken } as const
  await beginSignUp(needs, { email, pending, joining: invite.organization.name })
  return { status: 201, body: { code: 201, message: 'A code is on its way to this address' } }
}
