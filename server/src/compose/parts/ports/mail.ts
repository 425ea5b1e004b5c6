import { smtpMail } from '../../../adapters/smtp/smtp-mail.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { MAIL_QUEUE, mailQueue, withdrawMails } from '../../../platform/mail/mail-queue.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { MailPort } from '../../../ports/mail.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import { MAIL_KEYS } from '../../keys/sealed-places.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { OfficeWork } from '../platform/work.ts'
import type { Sandbox } from '../sandbox.ts'

export interface Mail extends Part {
  needs: { mailRing: KeyRing }
  mail: MailPort
}

/** The queue of mails and the server that takes them. */
export function openMail(
  { config, stack }: Opening,
  given: { databases: Databases; work: OfficeWork; sandbox: Sandbox },
): Mail {
  const { background: db } = given.databases
  const { standIns } = given.sandbox
  const smtp = config.smtpUrl && smtpMail({ url: config.smtpUrl, from: config.mailFrom })
  if (smtp) stack.defer(() => smtp.close())
  const mail = smtp ?? standIns?.mail
  if (!mail) throw new Error('Production sends its mails through a mail server: set SMTP_URL')
  const mailRing = keyRingOf(config, MAIL_KEYS)
  return {
    needs: { mailRing },
    mail,
    erasers: [
      {
        name: 'mails',
        erase: ({ id, emails, deletedAt }) =>
          withdrawMails({ db, ring: mailRing }, { addresses: emails, until: deletedAt, about: id }),
      },
    ],
    queues: [mailQueue({ ring: mailRing, mail })],
    routes(server) {
      standIns?.serveMailbox(server, {
        db,
        deliverNow: () => given.work.worker(MAIL_QUEUE).drain(),
        normalizeEmail,
      })
    },
  }
}
