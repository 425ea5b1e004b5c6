import { escapeHtml } from '../../platform/escape-html.ts'
import { mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'

/** Tells an admin that a webhook was switched off, and what follows from it. */
export function switchedOffMail({ to, host, name }: { to: string; host: string; name: string }): MailMessage {
  // what runs in the background has heard of no language
  const organization = organizationInMail(name, 'en')
  const paragraphs = [
    `The webhook of ${organization} to ${host} was switched off: the receiver asked for it, or nothing could be delivered for a day.`,
    'Events that happen from now on are not sent there. What failed in the last 30 days is kept: once the receiver works again, switch the webhook on and have the failed events sent again.',
  ]
  const html = mailPage(paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join(''), 'en')
  return { to, subject: `A webhook to ${host} was switched off`, text: paragraphs.join('\n\n'), html }
}
