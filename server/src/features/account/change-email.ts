import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { type EnforcedSsoNeeds, findEnforcedSso } from '../../directory/domains/domains.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { findUserByEmail } from '../../directory/users.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { askForConfirmation, type ConfirmationNeeds } from './confirmation.ts'
import { leavingAddressMail, type MailFrom, newAddressMail, takenAddressMail } from './mails.ts'

interface Needs extends ConfirmationNeeds, EnforcedSsoNeeds, MailFrom {}

/**
 * Mails the codes that prove both addresses. Under an address that belongs to another account the same steps are
 * taken with a code that is never mailed.
 */
export async function changeEmail(
  needs: Needs,
  caller: CallerOf<'changeEmail'>,
  input: Input<'changeEmail'>,
): Promise<Reply<'changeEmail'>> {
  const newEmail = requireEmail(input.email)
  const { language } = caller
  const { email } = caller.user
  if (newEmail === email) throw invalidInput([{ field: 'email', message: 'This is your address already' }])
  await requireReachOfAll(needs.db, caller)
  await requireOwnWay(needs, [email, newEmail])
  const isTaken = (await findUserByEmail(needs.db, newEmail)) !== undefined
  const expiresAt = await askForConfirmation(needs, caller, {
    purpose: 'email-change',
    newEmail,
    mailsOf: (code, newCode) => [
      leavingAddressMail(needs, { to: email, language }, code),
      isTaken
        ? takenAddressMail(needs, { to: newEmail, language })
        : newAddressMail(needs, { to: newEmail, language }, newCode),
    ],
  })
  const message = 'Codes are on their way to both addresses'
  return { status: 200, body: { code: 200, message, expiresAt: expiresAt.toISOString() } }
}

/**
 * The organization of a domain that demands single sign-on gives the addresses of this domain: a code neither leaves
 * one nor takes one.
 * @throws Refusal invalid
 */
export async function requireOwnWay(needs: EnforcedSsoNeeds, emails: readonly string[]): Promise<void> {
  for (const email of emails)
    if (await findEnforcedSso(needs, email))
      throw Refusal.of('single-sign-on-required', {
        message: 'Addresses of this domain are given by its organization; ask it to change yours',
      })
}
