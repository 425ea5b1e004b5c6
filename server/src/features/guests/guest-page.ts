import { type ScriptPage, scriptPage } from '../../platform/http/script-page.ts'

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
const FORM = `<form><label for="name">Your name</label><input id="name" name="name" required maxlength="100" autocomplete="name"> <button>Ask to come in</button></form>
`

/** The page at `/guest` of an office that is its own front end. */
export function renderGuestPage(): ScriptPage {
  return scriptPage({
    title: 'Entering',
    heading: 'You are invited',
    text: 'Say who you are, and you will be let in.',
    body: FORM,
    forGuests: true,
    script: SCRIPT,
  })
}
