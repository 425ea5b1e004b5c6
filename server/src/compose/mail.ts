import { smtpMail } from '../adapters/smtp/smtp-mail.ts'
import { type MailDelivery, startMailDelivery } from '../platform/mail/mail-delivery.ts'
import type { KeyRing } from '../platform/secrets/sealed-column.ts'
import type { MailPort } from '../ports/mail.ts'
import type { Databases } from './databases.ts'
import { keyRingOf } from './key-rings.ts'
import type { OfficeNotifications } from './notifications.ts'
import type { Opening, Part } from './part.ts'
import type { Sandbox } from './sandbox.ts'

export interface Mail extends Part {
  needs: { mailRing: KeyRing }
  mail: MailPort
}

/** The queue of mails and the server that takes them. */
export function openMail(
  { config, clock, log, stack }: Opening,
  given: { databases: Databases; notifications: OfficeNotifications; sandbox: Sandbox },
): Mail {
  const { background: db } = given.databases
  const { standIns } = given.sandbox
  const smtp = config.smtpUrl && smtpMail({ url: config.smtpUrl, from: config.mailFrom })
  if (smtp) stack.defer(() => smtp.close())
  const mail = smtp ?? standIns?.mail
  if (!mail) throw new Error('Production sends its mails through a mail server: set SMTP_URL')
  const mailRing = keyRingOf(config, 'mail-queue')
  let delivery: MailDelivery | undefined
  return {
    needs: { mailRing },
    mail,
    routes(server) {
      standIns?.serveMailbox(server, { db, deliverNow: async () => await delivery?.drain() })
    },
    start(running) {
      const started = startMailDelivery({
        ...{ db, ring: mailRing, mail, clock, log },
        notifications: given.notifications,
      })
      running.defer(() => started.stop())
      delivery = started
    },
  }
}
