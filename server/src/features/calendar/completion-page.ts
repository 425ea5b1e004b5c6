import { createHash } from 'node:crypto'

/**
 * Takes the code out of the address bar and finishes what was begun in this tab: whoever begins leaves
 * `{provider, codeVerifier, back?}` in sessionStorage under `atrium-calendar-<state>`.
 */
const SCRIPT = `
const say = (title, text) => {
  document.querySelector('h1').textContent = title
  document.querySelector('p').textContent = text
}
const query = new URLSearchParams(location.search)
history.replaceState(null, '', location.pathname)
const key = 'atrium-calendar-' + query.get('state')
const begun = JSON.parse(sessionStorage.getItem(key) ?? 'null')
sessionStorage.removeItem(key)
const call = async (method, path, body) => {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
  const answer = await fetch('/api/v1/calendar/' + path, { method, ...init }).catch(() => undefined)
  return { ok: answer?.ok, body: await answer?.json().catch(() => undefined) }
}
if (begun?.back?.match(/^\\/[\\w/-]*$/)) document.querySelector('a').href = begun.back
if (query.has('error')) say('Not connected', query.get('error') === 'access_denied'
  ? 'You have not allowed it. Nothing was connected.' : 'The provider refused the connection.')
else if (!query.has('code')) say('Nothing to finish', 'This page finishes connecting a calendar.')
else if (!['provider-a', 'provider-b'].includes(begun?.provider))
  say('Not connected', 'This answer belongs to another tab, or has been used. Begin again.')
else {
  const { provider, codeVerifier } = begun
  const done = await call('POST', provider + '/finalize-connection', { code: query.get('code'), codeVerifier })
  if (!done.ok) say('Not connected', done.body?.message ?? 'The office does not answer. Try again later.')
  else {
    const calendars = await call('GET', provider + '/calendars')
    const names = calendars.ok ? calendars.body.map(({ name }) => name).join(', ') : ''
    say('Calendar connected', names ? 'Found: ' + names + '.' : 'The calendar is connected.')
  }
}
document.body.dataset.done = 'true'
`
const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--accent:#0b6e5f}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--ink:#e9e6df;--soft:#a4abb6;--accent:#5fd0bd}}
body{margin:0;padding:14vh 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:30rem}
h1{margin:0 0 .4rem;font-size:2rem}
p{margin:0 0 2rem;color:var(--soft)}
a{color:var(--accent)}
`

/** The page at `/calendar/complete` of an office that is its own front end, and its policy: this one script, nothing else. */
export function renderCalendarCompletion(): { html: string; policy: string } {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Connecting a calendar · Atrium</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1 aria-live="polite">Connecting the calendar …</h1>
<p>One moment.</p>
<a href="/">To the office</a>
</main><script type="module">${SCRIPT}</script></body>
</html>
`
  return { html, policy }
}
