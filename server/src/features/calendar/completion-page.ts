import { type ScriptPage, scriptPage } from '../../platform/http/script-page.ts'

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

/** The page at `/calendar/complete` of an office that is its own front end. */
export function renderCalendarCompletion(): ScriptPage {
  return scriptPage({
    title: 'Connecting a calendar',
    heading: 'Connecting the calendar …',
    text: 'One moment.',
    script: SCRIPT,
  })
}
