import { escapeHtml } from '../../platform/escape-html.ts'
import type { SandboxPage } from '../sandbox-page.ts'
import type { SandboxMail } from './sandbox-mail.ts'

export interface MailboxView {
  /** The address that the list was narrowed to. */
  to?: string
  /** What comes meanwhile is not shown, for who reads. */
  paused?: boolean
}

const REFRESH_SECONDS = 5

/**
 * The script replaces the mails on the page by the newest, and nothing else: neither what a visitor types, nor where
 * they are on the page.
 */
const SCRIPT = `
const place = document.querySelector('#mails')
setInterval(async () => {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok) return
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#mails')
  if (found && found.innerHTML !== place.innerHTML) place.innerHTML = found.innerHTML
}, ${REFRESH_SECONDS * 1_000})
`

/** The sandbox mailbox as a page for a person: nothing loaded from elsewhere, everything escaped. */
export function mailboxPage(
  mails: readonly SandboxMail[],
  { to = '', paused }: MailboxView = {},
): SandboxPage {
  const count = `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}`
  const list =
    mails.length > 0
      ? `<ol>\n${mails.map(renderMail).join('\n')}\n</ol>`
      : '<p class="empty">No mail yet.</p>'
  return {
    title: 'Mailbox',
    path: '/sandbox/mail',
    about: 'Mails that this office would have sent. Nothing leaves this machine.',
    content: `<form method="get" role="search" class="row">
<label for="to">To</label>
<input id="to" name="to" type="text" inputmode="email" autocomplete="off" spellcheck="false" placeholder="ada@example.com" value="${escapeHtml(to)}">
<button class="primary">Filter</button>
${to ? `<a href="?">Show all</a>` : ''}
</form>
<p class="state">${refreshLine(to, paused)}</p>
<div id="mails" aria-live="polite">
<p class="state">${to ? `${count} to ${escapeHtml(to)}` : count}.</p>
${list}
</div>`,
    style: STYLE,
    ...(paused ? {} : { script: SCRIPT }),
  }
}

function refreshLine(to: string, paused: boolean | undefined): string {
  const query = (more: Record<string, string>) =>
    escapeHtml(`?${new URLSearchParams({ ...(to ? { to } : {}), ...more })}`)
  if (paused) return `New mails are not shown. <a href="${query({})}">Show them</a>`
  return `New mails appear by themselves. <a href="${query({ paused: 'true' })}">Pause</a>`
}

function renderMail(mail: SandboxMail): string {
  const code = mail.code
    ? `<p class="code"><span>Code</span> <strong>${escapeHtml(mail.code)}</strong></p>`
    : ''
  const link = mail.link && /^https?:\/\//.test(mail.link) ? escapeHtml(mail.link) : ''
  return `<li><article>
<h2>${escapeHtml(mail.subject) || '(no subject)'}</h2>
<p class="about">To <b>${escapeHtml(mail.to)}</b> · <time datetime="${escapeHtml(mail.at)}">${escapeHtml(mail.at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}</time></p>
${code}
${link ? `<p class="link"><a href="${link}" rel="noopener noreferrer">${link}</a></p>` : ''}
<pre>${escapeHtml(mail.text)}</pre>
</article></li>`
}

const STYLE = `
.state,.about{margin:.2rem 0 1rem;font-size:.9rem}
h2{margin:0}
.code{display:flex;align-items:baseline;gap:1rem;margin:0 0 1rem}
.code strong{color:var(--ink);font:700 2.2rem/1.2 ui-monospace,monospace;letter-spacing:.12em;user-select:all}
.link{margin:0 0 1rem;font-weight:600}
pre{margin:0;padding-top:1rem;border-top:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;color:var(--soft)}
`
