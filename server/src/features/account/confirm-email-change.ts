import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { rememberBrowser } from '../../access/sessions/known-browser.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { revokeOtherSessions } from '../../access/sessions/session-endings.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import type { EnforcedSsoNeeds } from '../../directory/domains/domains.ts'
import { changeAddress } from '../../directory/users.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { queueMail } from '../../platform/mail/mail-queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { readUser, type UserViewNeeds } from '../profile/reads.ts'
import { forgetWaysIn } from '../sign-in/reads.ts'
import { recordInOrganizations } from './audit.ts'
import { requireOwnWay } from './change-email.ts'
import { type ConfirmationNeeds, proveByCodes } from './confirmation.ts'
import { tellAddressLater } from './jobs.ts'
import { formerAddressMail, type MailFrom } from './mails.ts'
import { dropConfirmations, useConfirmation } from './store.ts'

interface Needs extends UserViewNeeds, ConfirmationNeeds, EnforcedSsoNeeds, MailFrom {
  callers: Pick<KnownCallers, 'forget'>
  knownBrowserKeys: RotatingKey
}

/** What is told of is delivered late rather than never. */
const TOLD_WITHIN_SECONDS = 3 * DAY_SECONDS

/**
 * Gives the account the address that was proven. The former address opens nothing any more: other sessions end, so do
 * sign-ins that wait and links to accounts elsewhere, and a mail goes there.
 */
export async function confirmEmailChange(
  needs: Needs,
  caller: CallerOf<'confirmEmailChange'>,
  input: Input<'confirmEmailChange'>,
): Promise<Reply<'confirmEmailChange'>> {
  await requireReachOfAll(needs.db, caller)
  const { attempt, email, newEmail } = await proveByCodes(needs, caller, {
    purpose: 'email-change',
    ...input,
  })
  if (newEmail === null) throw Refusal.of('invalid-code')
  await requireOwnWay(needs, [email, newEmail])
  const now = needs.clock.now()
  const { id } = caller.user
  const body = await inOneGo(needs, async (tx) => {
    if (!(await useConfirmation(tx, attempt))) throw Refusal.of('invalid-code')
    if (!(await changeAddress(tx, id, { from: email, to: newEmail, isProven: true }, now)))
      throw Refusal.of('invalid-code')
    await dropConfirmations(tx, id)
    await forgetWaysIn(tx, caller.user, [email, newEmail])
    await revokeOtherSessions(tx, id, caller.session.id, now)
    await tellAddressLater(tx, id, now)
    const times = {
      mailClass: 'code',
      now,
      notAfter: secondsAfter(now, TOLD_WITHIN_SECONDS),
      about: id,
    } as const
    const mail = formerAddressMail(needs, { to: email, language: caller.language })
    await queueMail(tx, needs.mailRing, mail, times)
    await recordInOrganizations(tx, caller, 'member.email-changed', now)
    return await readUser({ ...needs, db: tx }, caller)
  })
  needs.callers.forget(id)
  rememberBrowser({ keys: needs.knownBrowserKeys, cookies: caller.cookies }, newEmail, now)
  return { status: 200, body }
}

/** Who has the address by now is not the caller's to know: for them the code is wrong. */
async function inOneGo<Done>(needs: Pick<Needs, 'db'>, work: (tx: Tx) => Promise<Done>): Promise<Done> {
  try {
    return await transaction(needs.db, work)
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw Refusal.of('invalid-code')
    throw error
  }
}
