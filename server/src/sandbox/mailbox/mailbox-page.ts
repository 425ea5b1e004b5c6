import { escapeHtml } from '../../platform/escape-html.ts'
import type { SandboxMail } from './sandbox-mail.ts'

export interface MailboxView {
  /** The address that the list was narrowed to. */
  to?: string
  /** The page does not load itself again, for who reads or types. Leave out where the route knows no `?paused=true`. */
  paused?: boolean
}

const REFRESH_SECONDS = 5

/** The sandbox mailbox as a page for a person: no scripts, nothing loaded from elsewhere, everything escaped. */
export function renderMailbox(mails: readonly SandboxMail[], { to = '', paused }: MailboxView = {}): string {
  const count = `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
${paused ? '' : `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`}
<title>${to ? `Mail to ${escapeHtml(to)}` : 'Mail'} · Atrium sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Sandbox mailbox</h1>
<p>Mails that this office would have sent. Nothing leaves this machine.</p>
<form method="get" role="search">
<label for="to">To</label>
<input id="to" name="to" type="text" inputmode="email" autocomplete="off" spellcheck="false" placeholder="ada@example.com" value="${escapeHtml(to)}">
<button>Filter</button>
${to ? `<a href="?">Show all</a>` : ''}
</form>
</header>
<main>
<p class="state">${to ? `${count} to ${escapeHtml(to)}` : count}. ${refreshLine(to, paused)}</p>
${mails.length > 0 ? `<ol>\n${mails.map(renderMail).join('\n')}\n</ol>` : `<p class="empty">No mail yet.</p>`}
</main>
</body>
</html>
`
}

function refreshLine(to: string, paused: boolean | undefined): string {
  const query = (more: Record<string, string>) =>
    escapeHtml(`?${new URLSearchParams({ ...(to ? { to } : {}), ...more })}`)
  if (paused) return `Not refreshed. <a href="${query({})}">Refresh again</a>`
  const refreshed = `Refreshed every ${REFRESH_SECONDS} seconds.`
  if (paused === undefined) return refreshed
  return `${refreshed} <a href="${query({ paused: 'true' })}">Pause</a>`
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
:root{color-scheme:light dark;--background:#f6f5f2;--sheet:#fff;--ink:#1f2328;--soft:#5b6169;--line:#dcd9d2;--accent:#0b5bd3;--code:#eef3fc}
@media (prefers-color-scheme:dark){:root{--background:#16181b;--sheet:#1f2226;--ink:#e9eaec;--soft:#a5abb3;--line:#363a40;--accent:#7fb0ff;--code:#25324a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1rem 4rem;max-width:46rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{margin:0;font-size:1.6rem}
header p,.state,.about{margin:.2rem 0 1rem;color:var(--soft)}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
input{flex:1 1 14rem;min-width:0}
input,button{padding:.5rem .7rem;border:1px solid var(--line);border-radius:.5rem;background:var(--sheet);color:inherit;font:inherit}
button{border-color:var(--accent);background:var(--accent);color:var(--sheet);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.state{margin-top:1.2rem;font-size:.9rem}
ol{list-style:none;margin:0;padding:0;display:grid;gap:1rem}
article{padding:1.2rem;border:1px solid var(--line);border-radius:.8rem;background:var(--sheet);overflow-wrap:anywhere}
h2{margin:0;font-size:1.15rem}
.about{font-size:.9rem}
.code{display:flex;align-items:baseline;gap:1rem;margin:0 0 1rem;padding:.6rem 1rem;border-radius:.6rem;background:var(--code)}
.code strong{font:700 2.2rem/1.2 ui-monospace,monospace;letter-spacing:.12em;user-select:all}
.link{margin:0 0 1rem;font-weight:600}
pre{margin:0;padding-top:1rem;border-top:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;color:var(--soft)}
.empty{padding:3rem;border:1px dashed var(--line);border-radius:.8rem;text-align:center;color:var(--soft)}
`
