import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { expectRefusal, expectStatus } from './expect.ts'
import { logIn } from './login.ts'
import { type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

type Provider = 'A' | 'B'

/** Connect, calendars, events, details, disconnect: at both providers, with the calendars of the sandbox. */
export const calendars: Walk = {
  name: 'calendars',
  async run(office, steps) {
    for (const provider of ['A', 'B'] as const) await oneCalendar(office, steps, provider)
  },
}

export async function consent(office: Office, person: Person, provider: Provider) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const state = randomBytes(9).toString('base64url')
  const begun = await person.client.call(`connectProvider${provider}Calendar`, { state, codeChallenge })
  const redirectUrl = 'authData' in begun ? begun.authData.redirectUrl : begun.redirectUrl
  const end = await logIn(office, person, redirectUrl, person.email, '/calendar/complete')
  assert.equal(end.searchParams.get('state'), state)
  return { code: end.searchParams.get('code') ?? '', codeVerifier }
}

async function oneCalendar(office: Office, steps: Steps, provider: Provider): Promise<void> {
  const { step, check } = steps
  const person = await signedUp(office, 'planner')
  const { client } = person
  await check(`nothing of provider ${provider} is connected at first`, async () => {
    expectRefusal(await client.request(`listProvider${provider}Calendars`), 409)
    expectStatus(await client.request(`disconnectProvider${provider}Calendar`), 200)
  })
  await check('a wrong verifier connects nothing', async () => {
    const { code } = await consent(office, person, provider)
    const wrong = { code, codeVerifier: randomBytes(32).toString('base64url') }
    expectRefusal(await client.request(`finalizeProvider${provider}Calendar`, wrong), 400)
  })
  await step('code and verifier connect it, once', async () => {
    const answer = await consent(office, person, provider)
    expectStatus(await client.request(`finalizeProvider${provider}Calendar`, answer), 200)
    expectRefusal(await client.request(`finalizeProvider${provider}Calendar`, answer), 400)
  })
  await check('the profile says so', async () => {
    const { integrations } = await client.call('getCurrentUser')
    assert.equal(integrations.providerACalendar.connected, provider === 'A')
    assert.equal(integrations.providerBCalendar?.connected, provider === 'B' ? true : undefined)
  })
  await itsEvents(steps, person, provider)
  await check('after a disconnect nothing is left', async () => {
    expectStatus(await client.request(`disconnectProvider${provider}Calendar`), 200)
    expectRefusal(await client.request(`listProvider${provider}Calendars`), 409)
    assert.equal((await client.call('getCurrentUser')).integrations.providerACalendar.connected, false)
  })
}

/** The weeks in which the clocks of Europe go forward and back. */
async function itsEvents({ step, check }: Steps, { client }: Person, provider: Provider): Promise<void> {
  const ids = await step('it has calendars, one of them the main one', async () => {
    const { body } = expectStatus(await client.request(`listProvider${provider}Calendars`), 200)
    assert.equal(body.filter(({ id }) => id === 'primary').length, 1)
    for (const { color } of body) assert.match(color, /^#[0-9a-f]{6}$/)
    return body.map(({ id }) => id)
  })
  const found = await step('they have events, series expanded', async () => {
    const span = { timeMin: '2026-03-23T00:00:00+01:00', timeMax: '2026-04-06T00:00:00+02:00' }
    const asked = { calendars: ids.map((calendarId) => ({ calendarId, ...span })) }
    const body = await client.call(`listProvider${provider}Events`, asked)
    assert.deepEqual(
      body.map(({ calendarId }) => calendarId),
      ids,
    )
    return body.flatMap(({ events }) => events)
  })
  await check('at half past nine in Berlin, before and after the clocks go forward', async () => {
    const standUps = found.filter(({ title }) => title === 'Stand-up')
    assert.ok(standUps.length >= 9)
    for (const { start, startTimezone, id, recurringEventId } of standUps) {
      assert.match(start, start < '2026-03-29' ? /T09:30:00\+01:00$/ : /T(09:30|11:00):00\+02:00$/)
      assert.equal(startTimezone, 'Europe/Berlin')
      assert.match(id.slice(recurringEventId.length), /^_\d{8}T\d{6}Z$/)
    }
  })
  await check('the rule is in the detail of the series', async () => {
    const eventId = found.find(({ title }) => title === 'Stand-up')?.recurringEventId ?? ''
    const asked = { events: [{ calendarId: 'primary', eventId }] }
    const [series] = await client.call(`readProvider${provider}Events`, asked)
    assert.equal(series?.id, eventId)
    assert.match(series?.recurrence ?? '', /^RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR$/)
    assert.equal(series?.organizer.name, 'Grace Hopper')
  })
  await check('what is not there is not found, and a reversed span is refused', async () => {
    const nothing = { events: [{ calendarId: 'primary', eventId: 'nothing' }] }
    expectRefusal(await client.request(`readProvider${provider}Events`, nothing), 404)
    const [timeMin, timeMax] = ['2026-04-06T00:00:00Z', '2026-03-23T00:00:00Z']
    const reversed = { calendars: [{ calendarId: 'primary', timeMin, timeMax }] }
    expectRefusal(await client.request(`listProvider${provider}Events`, reversed), 400)
  })
}
