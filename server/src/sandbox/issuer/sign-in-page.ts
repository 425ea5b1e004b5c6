import { createHash } from 'node:crypto'
import type { Server } from '../../platform/http/server.ts'

const SCRIPT = `
const form = document.querySelector('form')
const note = document.querySelector('output')
const call = async (path, body) => {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
  const answer = await fetch(path, { method: 'POST', ...init })
  return { ok: answer.ok, body: await answer.json() }
}
const go = ({ ok, body }) => {
  if (!ok) { note.value = body.message; return false }
  if (!body.authData?.redirectURL) return true
  sessionStorage.setItem('atrium-state', body.authData.state)
  location.assign(body.authData.redirectURL)
  return false
}
for (const button of document.querySelectorAll('button[data-path]'))
  button.addEventListener('click', async () => go(await call(button.dataset.path)))
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, code } = Object.fromEntries(new FormData(form))
  if (code) {
    const { ok, body } = await call('/auth/finalize-magic-auth', { email, code })
    note.value = ok ? 'Signed in as ' + body.user.email : body.message
  } else if (go(await call('/auth/sign-in', { email }))) {
    form.code.hidden = false
    form.code.focus()
    note.value = 'If there is an account, a code is in the mailbox.'
  }
})
`
const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--line:#dfdcd4;--accent:#0b6e5f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--ink:#e9e6df;--soft:#a4abb6;--line:#2c333c;--accent:#5fd0bd;--on:#14181d}}
*{box-sizing:border-box}
body{margin:0;padding:10vh 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:24rem;display:grid;gap:.8rem}
h1{margin:0;font-size:2rem}p{margin:0;color:var(--soft)}
form{display:grid;gap:.6rem;padding-bottom:1rem;border-bottom:1px solid var(--line)}
label{font-weight:600}
input,button{padding:.65rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit;font:inherit}
form button{border-color:var(--accent);background:var(--accent);color:var(--on);font-weight:600}
button{cursor:pointer}a{color:var(--accent)}output{min-height:1.5em;color:var(--soft)}
[hidden]{display:none}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

/** `/sandbox/sign-in`: every way in, for who has no front end at hand. */
export function serveSignInPage(server: Server, singleSignOnDomain: string): void {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`
  const html = page(singleSignOnDomain)
  server.get('/sandbox/sign-in', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
  )
}

function page(domain: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Atrium sandbox</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>Sign in</h1>
<p>An address of <strong>${domain}</strong> goes to single sign-on; every other is mailed a code, to the <a href="/sandbox/mail">mailbox</a>.</p>
<form>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required autocomplete="username" placeholder="ada@${domain}">
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" placeholder="Code from the mail" aria-label="Code" hidden>
<button>Continue</button>
<output aria-live="polite"></output>
</form>
<button data-path="/auth/continue-with-provider-a">Continue with provider A</button>
<button data-path="/auth/continue-with-provider-b">Continue with provider B</button>
</main><script type="module">${SCRIPT}</script></body>
</html>
`
}
