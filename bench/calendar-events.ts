import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { prepareOffice } from './office.ts'
import { openBare, openContest } from './opening.ts'
import { ascending, quantile } from './statistics.ts'

const VENDOR = fileURLToPath(new URL('calendar-vendor.ts', import.meta.url))
const CALENDARS = ['primary', 'b', 'c', 'd', 'e']
const EVENTS = 250
const CALLS = 40
const SPAN = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' }

/** What we add to what the vendor takes anyway: reading, checking, putting into our words, and the way back. */
export const calendarEvents: Benchmark = {
  name: 'calendar-events',
  describe: `events of ${CALENDARS.length} calendars with ${EVENTS} each: time beyond the vendor's slowest answer of 50 ms, beside asking the vendor directly`,
  unit: 'ms',
  goal: { subjectMax: 15 },
  prepare: () =>
    openContest(async (ends) => {
      const vendor = await openBare(ends, VENDOR)
      // in production the vendor would have to speak https
      const office = await prepareOffice({
        GOOGLE_CLIENT_ID: 'bench',
        GOOGLE_CLIENT_SECRET: 'bench',
        GOOGLE_ISSUER_URL: vendor.base,
        GOOGLE_CALENDAR_URL: vendor.base,
      })
      ends.push(() => office.remove())
      const development = await office.start('development')
      ends.push(() => development.stop())
      const { cookie } = await signUp(office.url)
      const url = `${office.url.replace('localhost', '127.0.0.1')}/api/v1/calendar/provider-a`
      await connect(url, cookie)
      const subject = () => sample(() => askOffice(url, cookie), vendor.base)
      const baseline = () => sample(() => askVendor(vendor.base), vendor.base)
      for (const side of [subject, baseline]) await side()
      return { subject, baseline }
    }),
}

async function sample(ask: () => Promise<void>, vendorUrl: string): Promise<Sample> {
  const added: number[] = []
  const whole: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const began = performance.now()
    await ask()
    const took = performance.now() - began
    const { ms } = (await (await fetch(`${vendorUrl}/slowest`)).json()) as { ms: number }
    whole.push(took)
    added.push(took - ms)
  }
  const sorted = ascending(added)
  return {
    value: quantile(sorted, 0.5),
    details: { 'p99 ms': quantile(sorted, 0.99), 'whole p50 ms': quantile(ascending(whole), 0.5) },
  }
}

async function askOffice(url: string, cookie: string): Promise<void> {
  const calendars = CALENDARS.map((calendarId) => ({ calendarId, ...SPAN }))
  const found = (await post(`${url}/events`, cookie, { calendars })) as { events: unknown[] }[]
  assert.deepEqual(
    found.map(({ events }) => events.length),
    CALENDARS.map(() => EVENTS),
  )
}

async function askVendor(vendorUrl: string): Promise<void> {
  const lists = await Promise.all(
    CALENDARS.map(async (id) => {
      const answer = await fetch(`${vendorUrl}/calendar/v3/calendars/${id}/events`)
      return (await answer.json()) as { items: unknown[] }
    }),
  )
  for (const { items } of lists) assert.equal(items.length, EVENTS)
}

async function connect(url: string, cookie: string): Promise<void> {
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  await post(`${url}/connect`, cookie, { state: 'bench', codeChallenge })
  await post(`${url}/finalize-connection`, cookie, { code: 'bench', codeVerifier })
}

async function post(url: string, cookie: string, body: object): Promise<unknown> {
  const headers = { cookie, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  assert.equal(response.status, 200, text.slice(0, 500))
  return JSON.parse(text)
}
