import type { WorkOS } from '@workos-inc/node'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { queueMail } from '../../platform/mail/mail-queue.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { authenticated, chosen } from './authentication.ts'
import type { BackgroundSender } from './background-sender.ts'
import { ask } from './failures.ts'
import { joiningMail, noAccountMail, singleSignOnMail } from './mails.ts'

export interface CodesNeeds {
  workos: WorkOS
  clientId: string
  db: Db
  clock: Clock
  /** Seals the mails that are ours to send: it mails the codes itself. */
  mailRing: KeyRing
  frontendUrl: string
  /** For what an answer must not wait for. */
  sender: BackgroundSender
}

const MAIL_SECONDS = 10 * 60

/** Sign-in by a code: WorkOS makes it and mails it; mails without one are ours. */
export function workosCodes(
  needs: CodesNeeds,
): Pick<IdentityPort, 'sendCode' | 'proveByCode' | 'chooseOrganization'> {
  const { clientId } = needs
  const users = needs.workos.userManagement
  return {
    async sendCode({ email, language, hasAccount, joining, singleSignOnOnly }) {
      const now = needs.clock.now()
      const addressee = { to: email, language, frontendUrl: needs.frontendUrl }
      const times = { mailClass: 'code', now, notAfter: secondsAfter(now, MAIL_SECONDS) } as const
      const mail = (message: MailMessage) => queueMail(needs.db, needs.mailRing, message, times)
      if (singleSignOnOnly) needs.sender.begin(() => mail(singleSignOnMail(addressee)))
      else if (!hasAccount) needs.sender.begin(() => mail(noAccountMail(addressee)))
      else {
        if (joining !== undefined) needs.sender.begin(() => mail(joiningMail(addressee, joining)))
        // The answer carries the code: it goes no further than this line.
        needs.sender.begin(
          async () => void (await ask('createMagicAuth', () => users.createMagicAuth({ email }))),
        )
      }
    },
    async proveByCode({ email, code }) {
      const proven = await authenticated('authenticateWithMagicAuth', () =>
        users.authenticateWithMagicAuth({ clientId, email, code: code.trim() }),
      )
      if (proven && 'obstacle' in proven) return proven
      if (proven?.email.toLowerCase() !== email) return undefined
      return {
        email,
        askedBy: null,
        session: proven.session,
        choice: proven.choice,
        // WorkOS has done so
        spend: async () => true,
      }
    },
    async chooseOrganization({ choice, organization }) {
      const selection = { clientId, pendingAuthenticationToken: choice, organizationId: organization }
      return await chosen(() => users.authenticateWithOrganizationSelection(selection))
    },
  }
}
