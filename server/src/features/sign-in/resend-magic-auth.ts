import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { findCapture } from '../../directory/domains.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { findUserByEmail } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityPort } from '../../ports/identity.ts'

interface Needs {
  db: Db
  identity: IdentityPort
}

/** Mails a new code, in the place of the one before. The same answer for an unknown address. */
export async function resendMagicAuth(
  needs: Needs,
  _caller: CallerOf<'resendMagicAuth'>,
  input: Input<'resendMagicAuth'>,
): Promise<Reply<'resendMagicAuth'>> {
  const email = requireEmail(input.email)
  const user = await findUserByEmail(needs.db, email)
  const singleSignOnOnly = (await findCapture(needs, email)) !== undefined
  await needs.identity.sendCode({ email, hasAccount: user !== undefined, singleSignOnOnly })
  return { status: 200, body: { code: 200, message: 'If there is an account, a new code is on its way' } }
}
