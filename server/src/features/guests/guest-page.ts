import { createHash } from 'node:crypto'

/** Takes the token out of the address bar, asks to be let in under a name, and asks again until it is decided. */
const SCRIPT = `
const ASK_AGAIN_MS = 15000
const [title, text, form] = ['h1', 'p', 'form'].map((name) => document.querySelector(name))
const say = (head, body) => {
  title.textContent = head
  text.textContent = body
}
const inviteToken = new URLSearchParams(location.search).get('invite_token')
history.replaceState(null, '', location.pathname)
const ask = async (guestName) => {
  const answer = await fetch('/api/v1/rtc/guest/room-auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inviteToken, guestName }),
  }).catch(() => undefined)
  const body = await answer?.json().catch(() => undefined)
  if (answer?.ok && body.state === 'admitted') say('You are let in', 'Join the room with your client.')
  else if (answer?.ok) {
    say('You are waiting', 'Somebody will let you in soon. Keep this page open.')
    setTimeout(() => ask(guestName), ASK_AGAIN_MS)
  } else say('Not let in', body?.message ?? 'The office does not answer. Try again later.')
  document.body.dataset.state = answer?.ok ? body.state : 'refused'
}
if (!inviteToken) {
  form.remove()
  say('Nothing to enter', 'This page is opened by the link of an invite.')
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  form.hidden = true
  say('One moment', '')
  void ask(new FormData(form).get('name'))
})
`
const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--accent:#0b6e5f}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--ink:#e9e6df;--soft:#a4abb6;--accent:#5fd0bd}}
body{margin:0;padding:14vh 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:30rem}
h1{margin:0 0 .4rem;font-size:2rem}
p{margin:0 0 2rem;color:var(--soft)}
label{display:block;margin:0 0 .4rem}
input,button{font:inherit;padding:.5rem .8rem;border-radius:.4rem;border:1px solid var(--soft)}
button{background:var(--accent);border-color:var(--accent);color:var(--background)}
`

/** The page at `/guest` of an office that is its own front end, and its policy: this one script, nothing else. */
export function renderGuestPage(): { html: string; policy: string } {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>Entering · Atrium</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1 aria-live="polite">You are invited</h1>
<p>Say who you are, and you will be let in.</p>
<form><label for="name">Your name</label><input id="name" name="name" required maxlength="100" autocomplete="name"> <button>Ask to come in</button></form>
</main><script type="module">${SCRIPT}</script></body>
</html>
`
  return { html, policy }
}
