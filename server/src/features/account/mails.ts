import { escapeHtml } from '../../platform/escape-html.ts'
import type { Addressee } from '../../platform/mail/mail-language.ts'
import { codeInMail, mailPage } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'
import type { MailedCode } from './confirmation.ts'
import { accountMailWords } from './mail-words.ts'

interface Written {
  subject: string
  before: readonly string[]
  code?: string
  after?: readonly string[]
}

/** What mails say about this office: its address, of which they show the host. */
export type MailFrom = { frontendUrl: string }

/** To the address of the account, where another one shall take its place. */
export function leavingAddressMail(
  from: MailFrom,
  addressee: Addressee,
  { code, minutes }: MailedCode,
): MailMessage {
  const words = accountMailWords[addressee.language]
  return written(addressee, {
    subject: words.leavingSubject(code),
    before: [words.leaving(hostOf(from))],
    code,
    after: [words.withNew(minutes), words.warning],
  })
}

/** To the address that an account shall have. */
export function newAddressMail(
  from: MailFrom,
  addressee: Addressee,
  { code, minutes }: MailedCode,
): MailMessage {
  const words = accountMailWords[addressee.language]
  return written(addressee, {
    subject: words.newSubject(code),
    before: [words.newAddress(hostOf(from))],
    code,
    after: [words.withFormer(minutes), words.ignore],
  })
}

/** To an address that an account shall have, and another one has. */
export function takenAddressMail(from: MailFrom, addressee: Addressee): MailMessage {
  const words = accountMailWords[addressee.language]
  const host = hostOf(from)
  return written(addressee, {
    subject: words.takenSubject(host),
    before: [words.taken(host), words.takenAdvice],
  })
}

/** To the address that an account had until now. */
export function formerAddressMail(from: MailFrom, addressee: Addressee): MailMessage {
  const words = accountMailWords[addressee.language]
  const host = hostOf(from)
  return written(addressee, {
    subject: words.formerSubject(host),
    before: [words.former(host), words.formerAdvice],
  })
}

/** To a user who wants to delete their account. */
export function deletionMail(
  from: MailFrom,
  addressee: Addressee,
  { code, minutes }: MailedCode,
): MailMessage {
  const words = accountMailWords[addressee.language]
  return written(addressee, {
    subject: words.deletionSubject(code),
    before: [words.deletion(hostOf(from))],
    code,
    after: [words.works(minutes), words.warning],
  })
}

function hostOf({ frontendUrl }: MailFrom): string {
  return new URL(frontendUrl).host
}

function written({ to, language }: Addressee, { subject, before, code, after = [] }: Written): MailMessage {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const text = [...before, ...(code ? [`    ${code}`] : []), ...after].join('\n\n')
  const html = [...before.map(paragraph), ...(code ? [codeInMail(code)] : []), ...after.map(paragraph)]
  return { to, subject, text, html: mailPage(html.join(''), language) }
}
