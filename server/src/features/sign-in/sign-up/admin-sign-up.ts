import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { CodeNeeds } from '../code/ask-for-code.ts'
import { beginSignUp } from './sign-up-steps.ts'
import { isPilotTokenLive } from './sign-up-store.ts'

/**
 * Signs up the first person of a pilot customer. The token is used up by whichever address is proven first, so that a
 * mistyped one costs nothing. The operation exists only where PILOT_SIGN_UP_ENVIRONMENTS lists the environment.
 */
export async function adminSignUp(
  needs: CodeNeeds,
  caller: CallerOf<'adminSignUp'>,
  input: Input<'adminSignUp'>,
): Promise<Reply<'adminSignUp'>> {
  const email = requireEmail(input.email)
  const isLive = await isPilotTokenLive(needs.db, hashToken(input.inviteToken), needs.clock.now())
  if (!isLive) throw Refusal.of('invalid-invite-token')
  const purpose = { kind: 'pilot', token: input.inviteToken } as const
  return { status: 201, body: await beginSignUp(needs, caller, email, purpose) }
}
