import { createHash } from 'node:crypto'
import type { Server } from '../../platform/http/server.ts'

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
  const asked = calendars.map(({ id }) => ({ calendarId: id, timeMin, timeMax }))
  const found = await call('POST', path + '/events', { calendars: asked })
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
await attempt(async () => { for (const section of document.querySelectorAll('section')) await refresh(section) })
document.body.dataset.done = 'true'
`
const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--line:#dfdcd4;--accent:#0b6e5f}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--ink:#e9e6df;--soft:#a4abb6;--line:#2c333c;--accent:#5fd0bd}}
*{box-sizing:border-box}
body{margin:0;padding:6vh 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:64rem}
h1{margin:0;font-size:2rem}p,small{color:var(--soft)}a{color:var(--accent)}
.both{display:grid;gap:2rem;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr))}
h2{margin:0;font-size:1.2rem}.state{margin:.2rem 0 .8rem}
button{padding:.4rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;cursor:pointer}
ul{list-style:none;margin:1rem 0;padding:0;display:grid;gap:.25rem}
.calendar{margin-top:.6rem;padding-left:.5rem;border-left:.4rem solid var(--color);font-weight:600}
li button{border:0;padding:.1rem 0;text-align:left;white-space:pre-wrap}li small{display:block}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

/** `/sandbox/calendar`: connects calendars and shows a week of them, for who has no front end at hand. */
export function serveCalendarPage(server: Server): void {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`
  server.get('/sandbox/calendar', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(PAGE),
  )
}

const section = (provider: string, title: string) => `<section data-provider="${provider}">
<h2>${title}</h2>
<p class="state">…</p>
<button class="connect">Connect</button> <button class="disconnect">Disconnect</button>
<ul></ul>
</section>`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Calendars · Atrium sandbox</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>Calendars</h1>
<p>This week, as the office reads it from the stand-ins. <a href="/sandbox/sign-in">Sign in</a> first.</p>
<output aria-live="polite"></output>
<div class="both">
${section('provider-a', 'Provider A')}
${section('provider-b', 'Provider B')}
</div>
</main><script type="module">${SCRIPT}</script></body>
</html>
`
