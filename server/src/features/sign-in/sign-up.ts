import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { beginSignUp, type SignUpNeeds } from './sign-up-steps.ts'

interface Needs extends SignUpNeeds {}

/**
 * Makes an unverified account and mails a code. Where there is an account already, the code signs its owner in:
 * the answer is the same.
 */
export async function signUp(
  needs: Needs,
  _caller: CallerOf<'signUp'>,
  input: Input<'signUp'>,
): Promise<Reply<'signUp'>> {
  await beginSignUp(needs, { email: requireEmail(input.email) })
  return { status: 201, body: { code: 201, message: 'A code is on its way to this address' } }
}
