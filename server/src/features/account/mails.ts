import { escapeHtml } from '../../platform/escape-html.ts'
import { mailPage } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'
import type { MailedCode } from './confirmation.ts'

interface Written {
  to: string
  subject: string
  before: readonly string[]
  code?: string
  after?: readonly string[]
}

/** What mails say about this office: its address, of which they show the host. */
export type MailFrom = { frontendUrl: string }

/** To the address of the account, where another one shall take its place. */
export function leavingAddressMail(from: MailFrom, to: string, { code, minutes }: MailedCode): MailMessage {
  const host = hostOf(from)
  return written({
    to,
    subject: `${code} is your code to change your address`,
    before: [
      `Somebody, probably you, wants your account at ${host} to have another e-mail address. Your code is:`,
    ],
    code,
    after: [
      `It works once, for ${minutes} minutes, together with the code that was mailed to the new address.`,
      'If it was not you, give this code to nobody, and end your other sessions in your profile: somebody is signed in as you.',
    ],
  })
}

/** To the address that an account shall have. */
export function newAddressMail(from: MailFrom, to: string, { code, minutes }: MailedCode): MailMessage {
  const host = hostOf(from)
  return written({
    to,
    subject: `${code} is your code for your new address`,
    before: [`Somebody, probably you, wants to use this address for their account at ${host}. The code is:`],
    code,
    after: [
      `It works once, for ${minutes} minutes, together with the code that was mailed to the address of before.`,
      'If it was not you, you can ignore this mail.',
    ],
  })
}

/** To an address that an account shall have, and another one has. */
export function takenAddressMail(from: MailFrom, to: string): MailMessage {
  const host = hostOf(from)
  return written({
    to,
    subject: `You have an account at ${host}`,
    before: [
      `Somebody, probably you, wants to use this address for another account at ${host}. There is an account under it already, so nothing was changed.`,
      'To have the address free, change the address of that account, or delete it. If it was not you, you can ignore this mail.',
    ],
  })
}

/** To the address that an account had until now. */
export function formerAddressMail(from: MailFrom, to: string): MailMessage {
  const host = hostOf(from)
  return written({
    to,
    subject: `The address of your account at ${host} was changed`,
    before: [
      `Your account at ${host} has another e-mail address now: this one signs in to it no more. Both addresses were proven by a code.`,
      'If it was not you, tell whoever runs your office at once.',
    ],
  })
}

/** To whoever wants to delete their account. */
export function deletionMail(from: MailFrom, to: string, { code, minutes }: MailedCode): MailMessage {
  const host = hostOf(from)
  return written({
    to,
    subject: `${code} is your code to delete your account`,
    before: [
      `Somebody, probably you, wants to delete your account at ${host}, with all that is stored of you. It cannot be brought back. Your code is:`,
    ],
    code,
    after: [
      `It works once, for ${minutes} minutes.`,
      'If it was not you, give this code to nobody, and end your other sessions in your profile: somebody is signed in as you.',
    ],
  })
}

function hostOf({ frontendUrl }: MailFrom): string {
  return new URL(frontendUrl).host
}

function written({ to, subject, before, code, after = [] }: Written): MailMessage {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const large = (text: string) =>
    `<p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px;margin:24px 0">${escapeHtml(text)}</p>`
  const text = [...before, ...(code ? [`    ${code}`] : []), ...after].join('\n\n')
  const html = [...before.map(paragraph), ...(code ? [large(code)] : []), ...after.map(paragraph)]
  return { to, subject, text, html: mailPage(html.join('')) }
}
