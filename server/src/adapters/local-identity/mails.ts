import { escapeHtml } from '../../platform/escape-html.ts'
import type { Addressee } from '../../platform/mail/mail-language.ts'
import { codeInMail, mailPage, organizationInMail } from '../../platform/mail/mail-page.ts'
import { identityMailWords } from '../../ports/identity-mail-words.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { codeWords } from './mail-words.ts'

/** What the mails say about this office. */
export interface MailContext {
  frontendUrl: string
}

/** The mail with a code. The code stands in the subject too: a phone shows it without opening the mail. */
export function codeMail(
  context: MailContext,
  { to, language }: Addressee,
  { code, minutes, joining }: { code: string; minutes: number; joining?: string | undefined },
): MailMessage {
  const words = codeWords[language]
  const host = new URL(context.frontendUrl).host
  const joins = joining === undefined ? [] : [words.joining(organizationInMail(joining, language))]
  const works = [words.works(minutes), ...joins, words.newest].join(' ')
  const text = [words.codeFor(host), '', `    ${code}`, '', works, words.secret].join('\n')
  const html = mailPage(
    `
    <p>${words.codeFor(`<strong>${escapeHtml(host)}</strong>`)}</p>
    ${codeInMail(code)}
    <p>${escapeHtml(works)}</p>
    <p style="color:#666">${words.secret}</p>`,
    language,
  )
  return { to, subject: words.subject(code), text, html }
}

/** To an address without an account: says so to its owner alone. */
export function noAccountMail(context: MailContext, { to, language }: Addressee): MailMessage {
  const words = identityMailWords[language]
  const host = new URL(context.frontendUrl).host
  const text = [words.noAccount(host), '', `${words.signUp} ${context.frontendUrl}`, '', words.notYou].join(
    '\n',
  )
  const url = escapeHtml(context.frontendUrl)
  const html = mailPage(
    `
    <p>${words.noAccount(`<strong>${escapeHtml(host)}</strong>`)}</p>
    <p>${words.signUp} <a href="${url}">${url}</a></p>
    <p style="color:#666">${words.notYou}</p>`,
    language,
  )
  return { to, subject: words.noAccountSubject(host), text, html }
}

/** To an address that may come in by single sign-on only. */
export function singleSignOnMail(context: MailContext, { to, language }: Addressee): MailMessage {
  const words = identityMailWords[language]
  const url = escapeHtml(context.frontendUrl)
  return {
    to,
    subject: words.singleSignOnSubject(new URL(context.frontendUrl).host),
    text: [words.singleSignOn, '', context.frontendUrl].join('\n'),
    html: mailPage(`<p>${words.singleSignOn}</p><p><a href="${url}">${url}</a></p>`, language),
  }
}
