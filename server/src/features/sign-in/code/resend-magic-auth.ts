import type { Input, Reply } from '@atrium/contract'
import type { CallerOf, Visitor } from '../../../access/caller.ts'
import { requireEmail } from '../../../directory/email-address.ts'
import { findUserByEmail } from '../../../directory/users.ts'
import { browserHashOf } from '../browser-binding.ts'
import { hasAccount } from '../sign-up/by-invitation.ts'
import { promiseOf } from '../sign-up/sign-up-steps.ts'
import { askForCode, type CodeNeeds } from './ask-for-code.ts'
import { type CodeRequest, findCodeRequest, findNewestCodeRequest } from './code-requests.ts'

interface Needs extends CodeNeeds {}

/**
 * Mails a new code, in place of the one that this browser asked for before and for the same purpose. The same
 * answer for an unknown address.
 */
export async function resendMagicAuth(
  needs: Needs,
  caller: CallerOf<'resendMagicAuth'>,
  input: Input<'resendMagicAuth'>,
): Promise<Reply<'resendMagicAuth'>> {
  const email = requireEmail(input.email)
  const request = await askForCode(needs, caller, email, async () => {
    const account = await findUserByEmail(needs.db, email)
    const purpose = (await requestBefore(needs, caller, email))?.purpose
    const isBegun = account !== undefined && purpose !== undefined
    return { hasAccount: isBegun || hasAccount(needs, account), purpose }
  })
  const promise = promiseOf(request, 'If there is an account, a new code is on its way')
  return { status: 200, body: { code: 200, ...promise } }
}

/** A browser that has asked for nothing has the newest request of all repeated: the mail says what it is for. */
async function requestBefore(
  needs: Needs,
  visitor: Visitor,
  email: string,
): Promise<CodeRequest | undefined> {
  const browserHash = browserHashOf(visitor, email)
  const now = needs.clock.now()
  const own = browserHash && (await findCodeRequest(needs.db, needs.signUpRing, { email, browserHash }, now))
  return own ?? (await findNewestCodeRequest(needs.db, needs.signUpRing, email, now))
}
