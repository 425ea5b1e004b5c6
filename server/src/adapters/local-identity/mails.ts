import { escapeHtml } from '../../platform/escape-html.ts'
import { mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'

/** What the mails say about this office. */
export interface MailContext {
  frontendUrl: string
}

/** The mail with a code. The code stands in the subject too: a phone shows it without opening the mail. */
export function codeMail(
  context: MailContext,
  to: string,
  { code, minutes, joining }: { code: string; minutes: number; joining?: string | undefined },
): MailMessage {
  const host = new URL(context.frontendUrl).host
  const purpose = joining === undefined ? '' : ` It makes you a member of ${organizationInMail(joining)}.`
  const text = [
    `Your sign-in code for ${host} is:`,
    '',
    `    ${code}`,
    '',
    `It works once, for ${minutes} minutes.${purpose} Only the newest code works.`,
    'Nobody of ours will ever ask you for it. If you did not ask for it, you can ignore this mail.',
  ].join('\n')
  const html = mailPage(`
    <p>Your sign-in code for <strong>${escapeHtml(host)}</strong> is:</p>
    <p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px;margin:24px 0">${escapeHtml(code)}</p>
    <p>It works once, for ${minutes} minutes.${escapeHtml(purpose)} Only the newest code works.</p>
    <p style="color:#666">Nobody of ours will ever ask you for it. If you did not ask for it, you can ignore this mail.</p>`)
  return { to, subject: `${code} is your sign-in code`, text, html }
}

/** To an address without an account: says so to its owner, and to nobody else. */
export function noAccountMail(context: MailContext, to: string): MailMessage {
  const host = new URL(context.frontendUrl).host
  const text = [
    `Somebody, probably you, tried to sign in to ${host} with this address. There is no account under it.`,
    '',
    `To make one, sign up at ${context.frontendUrl}`,
    '',
    'If it was not you, you can ignore this mail.',
  ].join('\n')
  const url = escapeHtml(context.frontendUrl)
  const html = mailPage(`
    <p>Somebody, probably you, tried to sign in to <strong>${escapeHtml(host)}</strong> with this address.
    There is no account under it.</p>
    <p>To make one, sign up at <a href="${url}">${url}</a>.</p>
    <p style="color:#666">If it was not you, you can ignore this mail.</p>`)
  return { to, subject: `No account at ${host} yet`, text, html }
}

/** To an address that may come in by single sign-on only. */
export function singleSignOnMail(context: MailContext, to: string): MailMessage {
  const host = new URL(context.frontendUrl).host
  const advice =
    'Your organization has its own sign-in. Enter this address at the sign-in page: it takes you there, and no code is needed.'
  const url = escapeHtml(context.frontendUrl)
  return {
    to,
    subject: `Sign in to ${host} with your organization`,
    text: [advice, '', context.frontendUrl].join('\n'),
    html: mailPage(`<p>${advice}</p><p><a href="${url}">${url}</a></p>`),
  }
}
