import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { listPlaces } from '../../directory/erasure.ts'
import { askForConfirmation, type ConfirmationNeeds } from './confirmation.ts'
import { deletionMail, type MailFrom } from './mails.ts'
import { requireNotNeeded } from './rules.ts'

interface Needs extends ConfirmationNeeds, MailFrom {}

/** Mails the code without which no account is deleted. What would be in the way then is said now. */
export async function deleteAccount(
  needs: Needs,
  caller: CallerOf<'deleteAccount'>,
): Promise<Reply<'deleteAccount'>> {
  await requireReachOfAll(needs.db, caller)
  requireNotNeeded(await listPlaces(needs.db, caller.user.id))
  const expiresAt = await askForConfirmation(needs, caller, {
    purpose: 'deletion',
    mailsOf: (code) => [deletionMail(needs, { to: caller.user.email, language: caller.language }, code)],
  })
  const message = 'A code is on its way to your address'
  return { status: 200, body: { code: 200, message, expiresAt: expiresAt.toISOString() } }
}
