import { createHash } from 'node:crypto'

/** Takes the code out of the address bar, exchanges it for the session, and says what came of it. */
const SCRIPT = `
const say = (title, text) => {
  document.querySelector('h1').textContent = title
  document.querySelector('p').textContent = text
}
const query = new URLSearchParams(location.search)
history.replaceState(null, '', location.pathname)
const begun = sessionStorage.getItem('atrium-state')
sessionStorage.removeItem('atrium-state')
const problems = {
  'sign-in-cancelled': 'The sign-in was cancelled.',
  'sign-in-expired': 'The sign-in has expired, or was begun in another browser. Begin again.',
  'provider-unavailable': 'The provider does not answer. Try again later.',
}
if (query.has('error')) say('Not signed in', problems[query.get('error')] ?? 'The provider refused the sign-in.')
else if (begun && begun !== query.get('state')) say('Not signed in', 'This answer belongs to another sign-in.')
else if (!query.has('code')) say('Nothing to finish', 'This page finishes a sign-in that was begun elsewhere.')
else {
  const answer = await fetch('/auth/finalize-oauth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: query.get('code') }),
  }).catch(() => undefined)
  const body = await answer?.json().catch(() => undefined)
  if (answer?.ok) say('Signed in', 'You are ' + body.user.email + '.')
  else say('Not signed in', body?.message ?? 'The office does not answer. Try again later.')
}
document.body.dataset.done = 'true'
`
const STYLE = `
:root{color-scheme:light dark;--ground:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--accent:#0b6e5f}
@media (prefers-color-scheme:dark){:root{--ground:#14181d;--ink:#e9e6df;--soft:#a4abb6;--accent:#5fd0bd}}
body{margin:0;padding:14vh 1.25rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:30rem}
h1{margin:0 0 .4rem;font-size:2rem}
p{margin:0 0 2rem;color:var(--soft)}
a{color:var(--accent)}
`

/** The page at `/auth/complete` of an office that is its own front end, and its policy: this one script, nothing else. */
export function renderCompletion(): { html: string; policy: string } {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Signing in · Atrium</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1 aria-live="polite">Signing in …</h1>
<p>One moment.</p>
<a href="/">To the office</a>
</main><script type="module">${SCRIPT}</script></body>
</html>
`
  return { html, policy }
}
