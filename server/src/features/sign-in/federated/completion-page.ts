import { type ScriptPage, scriptPage } from '../../../platform/http/script-page.ts'

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
  'email-not-proven': 'Your address is not verified yet. Sign in with a code that is mailed to it.',
  'second-factor-required': 'This account needs a second factor, which cannot be asked for here. Ask your administrator.',
  'single-sign-on-required': 'Sign in through your organization.',
  'sign-in-method-not-accepted': 'Your organization does not accept this way of signing in. Try another one.',
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

/** The page at `/auth/complete` of an office that is its own front end. */
export function renderCompletion(): ScriptPage {
  return scriptPage({ title: 'Signing in', heading: 'Signing in …', text: 'One moment.', script: SCRIPT })
}
