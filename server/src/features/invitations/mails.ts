import { escapeHtml } from '../../platform/escape-html.ts'
import { mailPage } from '../../platform/mail/mail-page.ts'
import type { MailMessage } from '../../ports/mail.ts'

/** What an invitation says. Both names were chosen by people who may mean no good. */
export interface InvitationMail {
  to: string
  inviterName: string
  organizationName: string
  url: string
  expiresAt: Date
}

const NAME_MAX = 60

/** The mail that invites somebody: who asks them into what, one link, and until when it works. */
export function invitationMail({
  to,
  inviterName,
  organizationName,
  url,
  expiresAt,
}: InvitationMail): MailMessage {
  const [inviter, organization] = [harmless(inviterName), harmless(organizationName)]
  const until = expiresAt.toISOString().slice(0, 10)
  const text = [
    `${inviter} invites you to join ${organization}.`,
    '',
    'Have a look at the invitation, and accept it there if you like:',
    url,
    '',
    `It is for ${to} alone and works until ${until} (UTC). Opening it does not use it up.`,
    `If you do not know ${inviter}, you can ignore this mail: nothing happens then.`,
  ].join('\n')
  const href = escapeHtml(url)
  const html = mailPage(`
    <p><strong>${escapeHtml(inviter)}</strong> invites you to join <strong>${escapeHtml(organization)}</strong>.</p>
    <p style="margin:24px 0"><a href="${href}" style="background:#1f4fd8;color:#fff;padding:12px 20px;border-radius:8px;text-decoration:none">Look at the invitation</a></p>
    <p>Or open this address: <a href="${href}">${href}</a></p>
    <p style="color:#666">It is for ${escapeHtml(to)} alone and works until ${until} (UTC). Opening it does not use it up.
    If you do not know ${escapeHtml(inviter)}, you can ignore this mail: nothing happens then.</p>`)
  return { to, subject: `${inviter} invites you to ${organization}`, text, html }
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
