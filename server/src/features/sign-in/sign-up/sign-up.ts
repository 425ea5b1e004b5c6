import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CodeNeeds } from '../code/ask-for-code.ts'
import { beginSignUp } from './sign-up-steps.ts'

/**
 * Makes an unverified account and mails a code. Where there is an account already, the code signs its owner in:
 * the answer is the same.
 */
export async function signUp(
  needs: CodeNeeds,
  caller: CallerOf<'signUp'>,
  input: Input<'signUp'>,
): Promise<Reply<'signUp'>> {
  if (needs.signUpByInvitation) throw Refusal.of('sign-up-by-invitation')
  return { status: 201, body: await beginSignUp(needs, caller, requireEmail(input.email)) }
}
