import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { findUserByEmail } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { dropPendingSignUp } from './sign-up-store.ts'

interface Needs {
  db: Db
  identity: IdentityPort
}

/** Mails a code. Never makes an account, and never tells whether there is one. */
export async function signIn(
  needs: Needs,
  _caller: CallerOf<'signIn'>,
  input: Input<'signIn'>,
): Promise<Reply<'signIn'>> {
  const email = requireEmail(input.email)
  const user = await findUserByEmail(needs.db, email)
  // What is begun last is what the code is for: this one signs in and does nothing else.
  await dropPendingSignUp(needs.db, email)
  await needs.identity.sendCode({ email, hasAccount: user !== undefined })
  return { status: 200, body: { authData: { authMethod: 'magic_auth' } } }
}
