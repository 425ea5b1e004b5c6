import { escapeHtml } from '../../platform/escape-html.ts'
import { mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
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

/** Beside the code that WorkOS mails, whose words are not ours. */
export function joiningMail(frontendUrl: string, to: string, joining: string): MailMessage {
  const { host } = new URL(frontendUrl)
  return message(
    to,
    `A code for ${host} makes you a member of an organization`,
    `The sign-in code that is on its way to you makes you a member of ${organizationInMail(joining)}. If you did not ask for it, do not enter it.`,
    frontendUrl,
  )
}

function message(to: string, subject: string, text: string, url: string): MailMessage {
  const [page, link] = [escapeHtml(text), escapeHtml(url)]
  return {
    to,
    subject,
    text: `${text}\n\n${url}`,
    html: mailPage(`<p>${page}</p><p><a href="${link}">${link}</a></p>`),
  }
}
