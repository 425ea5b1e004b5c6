import { escapeHtml } from '../../platform/escape-html.ts'
import type { Addressee } from '../../platform/mail/mail-language.ts'
import { mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { webhookMailWords } from './mail-words.ts'

/** Tells an admin that a webhook was switched off, and what follows from it. */
export function switchedOffMail(
  { to, language }: Addressee,
  { host, name }: { host: string; name: string },
): MailMessage {
  const words = webhookMailWords[language]
  const paragraphs = [words.switchedOff(organizationInMail(name, language), host), words.advice]
  const html = mailPage(paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join(''), language)
  return { to, subject: words.subject(host), text: paragraphs.join('\n\n'), html }
}
