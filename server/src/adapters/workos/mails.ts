import { escapeHtml } from '../../platform/escape-html.ts'
import type { Addressee, MailLanguage } from '../../platform/mail/mail-language.ts'
import { mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
import { identityMailWords } from '../../ports/identity-mail-words.ts'
import type { MailMessage } from '../../ports/mail.ts'

/** To whom, in which language, and where the office is. */
interface OfficeAddressee extends Addressee {
  frontendUrl: string
}

const en = {
  subject: (host: string) => `A code for ${host} makes you a member of an organization`,
  joining: (organization: string) =>
    `The sign-in code that is on its way to you makes you a member of ${organization}. If you did not ask for it, do not enter it.`,
}

const de: typeof en = {
  subject: (host) => `Ein Code für ${host} macht dich zum Mitglied einer Organisation`,
  joining: (organization) =>
    `Mit dem Anmeldecode, der zu dir unterwegs ist, wirst du Mitglied von ${organization}. Hast du ihn nicht angefordert, gib ihn nicht ein.`,
}

const joiningWords: Record<MailLanguage, typeof en> = { en, de }

/** To an address without an account: says so to its owner alone. */
export function noAccountMail(addressee: OfficeAddressee): MailMessage {
  const words = identityMailWords[addressee.language]
  const host = hostOf(addressee)
  return message(addressee, words.noAccountSubject(host), `${words.noAccount(host)} ${words.signUp}`)
}

/** To an address that may come in by single sign-on only. */
export function singleSignOnMail(addressee: OfficeAddressee): MailMessage {
  const words = identityMailWords[addressee.language]
  return message(addressee, words.singleSignOnSubject(hostOf(addressee)), words.singleSignOn)
}

/** Beside the code that WorkOS mails in words of its own. */
export function joiningMail(addressee: OfficeAddressee, joining: string): MailMessage {
  const { language } = addressee
  const words = joiningWords[language]
  const text = words.joining(organizationInMail(joining, language))
  return message(addressee, words.subject(hostOf(addressee)), text)
}

function hostOf({ frontendUrl }: OfficeAddressee): string {
  return new URL(frontendUrl).host
}

function message({ to, language, frontendUrl }: OfficeAddressee, subject: string, text: string): MailMessage {
  const [page, link] = [escapeHtml(text), escapeHtml(frontendUrl)]
  return {
    to,
    subject,
    text: `${text}\n\n${frontendUrl}`,
    html: mailPage(`<p>${page}</p><p><a href="${link}">${link}</a></p>`, language),
  }
}
