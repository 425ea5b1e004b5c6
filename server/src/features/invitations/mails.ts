import { escapeHtml } from '../../platform/escape-html.ts'
import type { MailLanguage } from '../../platform/mail/mail-language.ts'
import { mailPage } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { invitationWords } from './mail-words.ts'

/** What an invitation says. Both names were chosen by people who may mean no good. */
export interface InvitationMail {
  to: string
  /** The inviter's: of the invited nothing is known. */
  language: MailLanguage
  inviterName: string
  organizationName: string
  /** Public address of the organization's picture; null where it has none. */
  logoUrl: string | null
  url: string
  expiresAt: Date
}

const NAME_MAX = 60

/** The mail that invites: the inviter, the organization, one link, and until when it works. */
export function invitationMail({
  to,
  language,
  inviterName,
  organizationName,
  logoUrl,
  url,
  expiresAt,
}: InvitationMail): MailMessage {
  const words = invitationWords[language]
  const [inviter, organization] = [harmless(inviterName), harmless(organizationName)]
  const until = expiresAt.toISOString().slice(0, 10)
  const [works, stranger] = [words.works(to, until), words.stranger(inviter)]
  const text = [words.invites(inviter, organization), '', words.look, url, '', works, stranger].join('\n')
  const href = escapeHtml(url)
  const strong = (name: string) => `<strong>${escapeHtml(name)}</strong>`
  const html = mailPage(
    `${logoUrl === null ? '' : logoInMail(logoUrl)}
    <p>${words.invites(strong(inviter), strong(organization))}</p>
    <p style="margin:24px 0"><a href="${href}" style="background:#1f4fd8;color:#fff;padding:12px 20px;border-radius:8px;text-decoration:none">${words.button}</a></p>
    <p>${words.orOpen} <a href="${href}">${href}</a></p>
    <p style="color:#666">${escapeHtml(works)} ${escapeHtml(stranger)}</p>`,
    language,
  )
  return { to, subject: words.subject(inviter, organization), text, html }
}

/** Says nothing where pictures are not shown: the name stands below. */
function logoInMail(url: string): string {
  return `
    <p><img src="${escapeHtml(url)}" alt="" width="56" height="56" style="border-radius:12px"></p>`
}

/**
 * A name as it may stand in a mail to a stranger: on one line, of bounded length, and with nothing that a mail
 * program would make a link of. Full stops inside words become one-dot leaders, which look the same.
 */
function harmless(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const short = [...line].length > NAME_MAX ? `${[...line].slice(0, NAME_MAX - 1).join('')}…` : line
  return short
    .replaceAll(/(?<=\S)\.(?=\S)/g, '\u2024')
    .replaceAll('://', ':\u2044\u2044')
    .replaceAll('@', '\uff20')
}
