import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { nameFromEmail } from '../../directory/display-name.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { ensureUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityPort } from '../../ports/identity.ts'

interface Needs {
  db: Db
  clock: Clock
  identity: IdentityPort
}

/**
 * Makes an unverified account and mails a code. Where there is an account already, the code signs its owner in:
 * the answer is the same.
 */
export async function signUp(
  needs: Needs,
  _caller: CallerOf<'signUp'>,
  input: Input<'signUp'>,
): Promise<Reply<'signUp'>> {
  const email = requireEmail(input.email)
  const identityId = await needs.identity.createUser({ email })
  const user = { identityId, email, displayName: nameFromEmail(email), emailVerified: false }
  await ensureUser(needs.db, user, needs.clock.now())
  await needs.identity.sendCode({ email, hasAccount: true })
  return { status: 201, body: { code: 201, message: 'A code is on its way to this address' } }
}
