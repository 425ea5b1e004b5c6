import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../platform/escape-html.ts'
import { plainPage } from '../platform/http/plain-page.ts'

export interface SandboxPage {
  title: string
  /** Its own address, which is not led to. */
  path: string
  /** What it is for: HTML. */
  about: string
  /** HTML. */
  content: string
  /** Beside the style of all of them. */
  style?: string
  /** A module: the only script that runs. */
  script?: string
}

const PLACES: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Office'],
  ['/sandbox/sign-in', 'Sign in'],
  ['/sandbox/mail', 'Mailbox'],
  ['/sandbox/calendar', 'Calendars'],
  ['/sandbox/media', 'Media'],
  ['/docs', 'Reference'],
]

/** A page of the sandbox: all of one look, and each leads to the others. Nothing in it comes from elsewhere. */
export function sandboxPage({ title, path, about, content, style = '', script }: SandboxPage): string {
  const links = PLACES.map(
    ([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return plainPage({
    title: `${title} · Atrium sandbox`,
    head: '<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n',
    style: STYLE + style,
    body: `<nav aria-label="Sandbox">${links.join(' ')}</nav>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="about">${about}</p>
${content}
</main>${script ? `<script type="module">${script}</script>` : ''}`,
  })
}

/** Sends one with the policy that lets its script run, and nothing else. */
export function sendSandboxPage(reply: FastifyReply, page: SandboxPage): FastifyReply {
  const hash = createHash('sha256')
    .update(page.script ?? '')
    .digest('base64')
  const scripts = page.script ? `script-src 'sha256-${hash}'; connect-src 'self'; ` : ''
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; ${scripts}style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .send(sandboxPage(page))
}

const STYLE = `
body{margin:0 auto;padding:1rem 1.25rem 4rem;max-width:48rem}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:.4rem 0;margin-bottom:6vh;border-bottom:1px solid var(--line)}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}nav [aria-current]{color:var(--ink);font-weight:600}
h1{margin:0;font-size:2rem}
h2{margin:2rem 0 .5rem;font-size:1.2rem}
small{color:var(--soft)}.about{margin:.2rem 0 1.4rem}
a{color:var(--accent)}
form{display:grid;gap:.6rem;max-width:26rem}
label{font-weight:600}
input,button{padding:.6rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:var(--sheet);color:inherit;font:inherit}
button{cursor:pointer}.primary{border-color:var(--accent);background:var(--accent);color:var(--on);font-weight:600}
ul,ol{list-style:none;margin:0;padding:0;display:grid;gap:1rem}
article{padding:1.2rem;border:1px solid var(--line);border-radius:.8rem;background:var(--sheet);overflow-wrap:anywhere}
article>:first-child{margin-top:0}
.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;max-width:none}.row input{flex:1 1 14rem;min-width:0}
.empty{padding:2.5rem;border:1px dashed var(--line);border-radius:.8rem;text-align:center}
.problem{color:var(--bad)}
[hidden]{display:none}
`
