import { escapeHtml } from '../../platform/escape-html.ts'
import type { MailMessage } from '../../ports/mail.ts'

/** To an address without an account: says so to its owner, and to nobody else. */
export function noAccountMail(frontendUrl: string, to: string): MailMessage {
  const { host } = new URL(frontendUrl)
  return message(
    to,
    `No account at ${host} yet`,
    `Somebody, probably you, tried to sign in to ${host} with this address. There is no account under it. To make one, sign up at`,
    frontendUrl,
  )
}

/** To an address that may come in by single sign-on only. */
export function singleSignOnMail(frontendUrl: string, to: string): MailMessage {
  const { host } = new URL(frontendUrl)
  return message(
    to,
    `Sign in to ${host} with your organization`,
    'Your organization has its own sign-in. Enter this address at the sign-in page: it takes you there, and no code is needed.',
    frontendUrl,
  )
}

function message(to: string, subject: string, text: string, url: string): MailMessage {
  const escaped = escapeHtml(url)
  return {
    to,
    subject,
    text: `${text}\n\n${url}`,
    html: `<!doctype html><html lang="en"><body><p>${text}</p><p><a href="${escaped}">${escaped}</a></p></body></html>`,
  }
}
