import type { Server } from '../../platform/http/server.ts'
import { sendSandboxPage } from '../sandbox-page.ts'

const SCRIPT = `
const note = document.querySelector('output')
const call = async (method, path, body) => {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
  const answer = await fetch(path, { method, ...init })
  const said = await answer.json().catch(() => ({}))
  if (!answer.ok) throw Object.assign(new Error(said.message ?? answer.status), { word: said.error })
  return said
}
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })
const connect = async (provider) => {
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const state = base64url(crypto.getRandomValues(new Uint8Array(16)))
  const codeChallenge = base64url(new Uint8Array(digest))
  const begun = await call('POST', '/api/v1/calendar/' + provider + '/connect', { state, codeChallenge })
  const entry = { provider, codeVerifier, back: '/sandbox/calendar' }
  sessionStorage.setItem('atrium-calendar-' + state, JSON.stringify(entry))
  location.assign(begun.redirectUrl ?? begun.authData.redirectUrl)
}
const showDetails = async (path, event, place) => {
  const events = [{ calendarId: event.calendarId, eventId: event.recurringEventId || event.id }]
  const [found] = await call('POST', path + '/events/details', { events })
  place.textContent = [found.recurrence, found.description, 'by ' + (found.organizer.name || found.organizer.email),
    found.attendees.map(({ email, status }) => email + ' (' + status + ')').join(', ')].filter(Boolean).join(' · ')
}
const showWeek = async (section, provider) => {
  const path = '/api/v1/calendar/' + provider
  const list = section.querySelector('ul')
  const calendars = await call('GET', path + '/calendars')
  const monday = new Date()
  monday.setHours(0, 0, 0, 0)
  monday.setDate(monday.getDate() - (monday.getDay() + 6) % 7)
  const timeMin = monday.toISOString()
  const timeMax = new Date(monday.getTime() + 7 * 86400000).toISOString()
  const queries = calendars.map(({ id }) => ({ calendarId: id, timeMin, timeMax }))
  const found = await call('POST', path + '/events', { calendars: queries })
  list.replaceChildren()
  for (const { calendarId, events, error } of found) {
    const { name, color } = calendars.find(({ id }) => id === calendarId)
    const heading = element('li', error ? name + ': cannot be read now' : name)
    heading.style.setProperty('--color', color)
    heading.className = 'calendar'
    list.append(heading)
    for (const event of events) {
      const item = document.createElement('li')
      const button = element('button', (event.allDay ? event.start.slice(0, 10) : event.start.slice(0, 16).replace('T', ' ')) + '  ' + event.title)
      const place = element('small', event.startTimezone)
      button.addEventListener('click', () => attempt(() => showDetails(path, event, place)))
      item.append(button, place)
      list.append(item)
    }
  }
}
const refresh = async (section) => {
  const { provider } = section.dataset
  section.querySelector('ul').replaceChildren()
  const state = section.querySelector('.state')
  try {
    await showWeek(section, provider)
    state.textContent = 'connected'
  } catch (error) {
    if (!error.word?.startsWith('calendar-')) throw error
    state.textContent = error.word === 'calendar-not-connected' ? 'not connected' : error.message
  }
}
const attempt = async (work) => {
  note.value = ''
  try { await work() } catch (error) { note.value = error.message }
}
for (const section of document.querySelectorAll('section')) {
  const { provider } = section.dataset
  section.querySelector('.connect').addEventListener('click', () => attempt(() => connect(provider)))
  section.querySelector('.disconnect').addEventListener('click', () => attempt(async () => {
    await call('POST', '/api/v1/calendar/' + provider + '/disconnect')
    await refresh(section)
  }))
}
const tellWho = async () => {
  const who = document.querySelector('#who')
  try {
    const { displayName, email } = await call('POST', '/user/get')
    who.textContent = 'Signed in as ' + (displayName && displayName !== email ? displayName + ' (' + email + ')' : email) + '.'
    return true
  } catch {
    who.replaceChildren('Nobody is signed in: ', Object.assign(element('a', 'sign in'), { href: '/sandbox/sign-in' }), ' first.')
    return false
  }
}
await attempt(async () => {
  if (await tellWho()) for (const section of document.querySelectorAll('section')) await refresh(section)
})
document.body.dataset.done = 'true'
`
const STYLE = `
body{max-width:64rem}
.both{display:grid;gap:2rem;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr))}
h2{margin:0}.state{margin:.2rem 0 .8rem}
section ul{margin:1rem 0;gap:.25rem}
.calendar{margin-top:.6rem;padding-left:.5rem;border-left:.4rem solid var(--color);font-weight:600}
li button{border:0;padding:.1rem 0;background:transparent;text-align:left;white-space:pre-wrap}li small{display:block}
`

const section = (provider: string, title: string) => `<section data-provider="${provider}">
<h2>${title}</h2>
<p class="state">…</p>
<button class="connect">Connect</button> <button class="disconnect">Disconnect</button>
<ul></ul>
</section>`

const PAGE = {
  title: 'Calendars',
  path: '/sandbox/calendar',
  about: 'This week, as the office reads it from the stand-ins. <span id="who" aria-live="polite"></span>',
  content: `<output aria-live="polite"></output>
<div class="both">
${section('provider-a', 'Provider A')}
${section('provider-b', 'Provider B')}
</div>`,
  style: STYLE,
  script: SCRIPT,
}

/** `/sandbox/calendar`: connects calendars and shows a week of them, for who has no front end at hand. */
export function serveCalendarPage(server: Server): void {
  server.get('/sandbox/calendar', async (_request, reply) => sendSandboxPage(reply, PAGE))
}
