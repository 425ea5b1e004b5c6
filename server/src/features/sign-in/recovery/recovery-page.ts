import { type ScriptPage, scriptPage } from '../../../platform/http/script-page.ts'

/** Takes the token out of the address bar, and uses it when the button is pressed. */
const SCRIPT = `
const say = (title, text) => {
  document.querySelector('h1').textContent = title
  document.querySelector('p').textContent = text
}
const form = document.querySelector('form')
const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
if (!token) {
  form.hidden = true
  say('Nothing to use', 'Open the whole link that you were given.')
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  form.hidden = true
  const answer = await fetch('/auth/recovery', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch(() => undefined)
  const body = await answer?.json().catch(() => undefined)
  if (answer?.ok) say('Signed in', 'You are ' + body.user.email + '.')
  else say('Not signed in', body?.message ?? 'The office does not answer. Try again later.')
  document.body.dataset.done = 'true'
})
`

/** The page at `/recovery` of an office that is its own front end. */
export function renderRecovery(): ScriptPage {
  return scriptPage({
    title: 'Signing in',
    heading: 'Sign in with this link',
    text: 'It works once.',
    body: '<form><button>Sign in</button></form>',
    script: SCRIPT,
  })
}
