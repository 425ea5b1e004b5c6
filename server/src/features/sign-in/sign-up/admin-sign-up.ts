import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { CodeNeeds } from '../code/ask-for-code.ts'
import { beginSignUp } from './sign-up-steps.ts'
import { reservePilotToken } from './sign-up-store.ts'

interface Needs extends CodeNeeds {}

/** As long as a code: a mistyped address does not burn the token. */
const RESERVED_SECONDS = 10 * 60

/**
 * Signs up the first person of a pilot customer. The token is kept for their address and used up when the code
 * is proven. The operation exists only where PILOT_SIGN_UP_ENVIRONMENTS lists the environment.
 */
export async function adminSignUp(
  needs: Needs,
  caller: CallerOf<'adminSignUp'>,
  input: Input<'adminSignUp'>,
): Promise<Reply<'adminSignUp'>> {
  const email = requireEmail(input.email)
  const now = needs.clock.now()
  const use = {
    tokenHash: hashToken(input.inviteToken),
    email,
    until: secondsAfter(now, RESERVED_SECONDS),
  }
  if (!(await reservePilotToken(needs.db, use, now))) {
    throw Refusal.of('invalid-invite-token')
  }
  const purpose = { kind: 'pilot', token: input.inviteToken } as const
  return { status: 201, body: await beginSignUp(needs, caller, email, purpose) }
}
