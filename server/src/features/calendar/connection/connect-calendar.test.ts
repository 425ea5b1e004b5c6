import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentUrlOf, newPkce, type Provider, providers } from '../../../../tests/chapters/calendars.ts'
import { surferOf } from '../../../../tests/chapters/surfer.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../../../tests/people.ts'
import { trusted } from '../../../platform/ids.ts'
import { switchCalendars } from './switch-calendars.ts'

const FRONT_END = 'http://front.example:5173'
/** What the address asks each provider for. */
const ASKED: Record<Provider, Record<string, string>> = {
  // to be let in again later
  A: {
    client_id: 'atrium',
    scope: 'https://www.googleapis.com/auth/calendar.readonly',
    access_type: 'offline',
    prompt: 'consent',
  },
  B: { response_mode: 'query', scope: 'offline_access Calendars.Read' },
}

let office: TestOffice
let person: Person
beforeAll(async () => {
  office = await openTestOffice()
  person = await newPerson(office)
})
afterAll(() => office.close())

describe.each(providers)('connectProvider%sCalendar', (provider) => {
  const operation = `connectProvider${provider}Calendar` as const

  it("sends the client's state and challenge to the provider", async () => {
    const pkce = newPkce()
    const url = new URL(await consentUrlOf(person.browser, provider, pkce))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...ASKED[provider],
      response_type: 'code',
      redirect_uri: `${office.office.config.frontendUrl}/calendar/complete`,
      state: pkce.state,
      code_challenge: pkce.codeChallenge,
      code_challenge_method: 'S256',
    })
    expect(url.href).not.toContain(pkce.codeVerifier)
  })

  it('asks on a page of one form, where one may also say no', async () => {
    const pkce = newPkce()
    const surfer = surferOf(office)
    const page = await surfer.visit(await consentUrlOf(person.browser, provider, pkce))
    expect(page.html).toContain('asks to read your calendars')
    expect(page.html.match(/<form/g)).toHaveLength(1)
    const end = await surfer.answer(page.url, { answer: 'no' })
    expect(end.url.pathname).toBe('/calendar/complete')
    expect(Object.fromEntries(end.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: pkce.state,
    })
  })

  it.each([
    ['no state', { codeChallenge: 'a'.repeat(43) }, 'state'],
    ['an empty state', { state: '', codeChallenge: 'a'.repeat(43) }, 'state'],
    ['a state of another type', { state: 5, codeChallenge: 'a'.repeat(43) }, 'state'],
    ['no challenge', { state: 's' }, 'codeChallenge'],
    ['an empty challenge', { state: 's', codeChallenge: '' }, 'codeChallenge'],
    ['what is no challenge', { state: 's', codeChallenge: 'not base64url' }, 'codeChallenge'],
    ['a challenge of 42 characters', { state: 's', codeChallenge: 'a'.repeat(42) }, 'codeChallenge'],
    ['a challenge of 129 characters', { state: 's', codeChallenge: 'a'.repeat(129) }, 'codeChallenge'],
    [
      'a challenge in another alphabet',
      { state: 's', codeChallenge: `${'a'.repeat(43)}&x=y` },
      'codeChallenge',
    ],
  ])('refuses %s', async (_case, input, field) => {
    const answer = await person.browser.request(operation, input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(JSON.stringify(answer.body)).toContain(field)
  })

  it('is refused without a session', async () => {
    const { state, codeChallenge } = newPkce()
    expect((await office.browser().request(operation, { state, codeChallenge })).status).toBe(401)
  })

  it('is refused where calendars are switched off for the organization, for as long as they are', async () => {
    const { browser, organizationId } = await newFounder(office)
    const { rows } = await office.database.pool.query(
      'select id from organizations where identity_organization_id = $1',
      [organizationId],
    )
    const organization = {
      id: trusted.organizationId(rows[0].id),
      identityId: trusted.identityOrganizationId(organizationId),
    }
    const { state, codeChallenge } = newPkce()
    const connect = () => browser.request(operation, { state, codeChallenge })
    const enabled = async () => (await browser.call('getCurrentUser')).integrations.providerACalendar.enabled
    await switchCalendars(office.database.db, organization, 'off', office.clock.now())
    expect(await connect()).toMatchObject({ status: 403, body: { error: 'calendar-disabled' } })
    expect(await enabled()).toBe(false)
    expect((await browser.request(`listProvider${provider}Calendars`)).status).toBe(403)
    expect((await browser.request(`disconnectProvider${provider}Calendar`)).status).toBe(200)
    await switchCalendars(office.database.db, organization, 'on', office.clock.now())
    expect((await connect()).status).toBe(200)
    expect(await enabled()).toBe(true)
  })
})

describe('an office with its front end elsewhere', () => {
  let elsewhere: TestOffice
  beforeAll(async () => {
    elsewhere = await openTestOffice({ settings: { FRONTEND_URL: FRONT_END } })
  })
  afterAll(() => elsewhere.close())

  it('sends browsers back there, whichever way each provider wraps the address', async () => {
    const { browser } = await newPerson(elsewhere)
    const { state, codeChallenge } = newPkce()
    const answers = {
      A: await browser.call('connectProviderACalendar', { state, codeChallenge }),
      B: await browser.call('connectProviderBCalendar', { state, codeChallenge }),
    }
    expect(Object.keys(answers.A)).toEqual(['authData'])
    expect(Object.keys(answers.A.authData)).toEqual(['redirectUrl'])
    expect(Object.keys(answers.B)).toEqual(['redirectUrl'])
    for (const { redirectUrl } of [answers.A.authData, answers.B])
      expect(new URL(redirectUrl).searchParams.get('redirect_uri')).toBe(`${FRONT_END}/calendar/complete`)
  })

  it('has no page of its own', async () => {
    expect((await fetch(`${elsewhere.baseUrl}/calendar/complete`)).status).toBe(404)
  })
})

async function connectAnywhere(settings: Record<string, string>) {
  const office = await openTestOffice({ settings })
  const { browser } = await newPerson(office)
  const { state, codeChallenge } = newPkce()
  const answers = await Promise.all(
    providers.map((provider) =>
      browser.request(`connectProvider${provider}Calendar`, { state, codeChallenge }),
    ),
  )
  await office.close()
  return answers
}

describe('connecting a calendar', () => {
  it('is refused where calendars are switched off as a whole', async () => {
    const answers = await connectAnywhere({ CALENDAR_ENABLED: 'false' })
    const refused = { status: 403, body: { error: 'calendar-disabled' } }
    expect(answers).toMatchObject([refused, refused])
  })

  it('says that the provider is away where it is, without a word of its own', async () => {
    const answers = await connectAnywhere({
      GOOGLE_CLIENT_ID: 'us',
      GOOGLE_CLIENT_SECRET: 'shh',
      GOOGLE_ISSUER_URL: 'http://127.0.0.1:9',
      MICROSOFT_CLIENT_ID: 'us',
      MICROSOFT_CLIENT_SECRET: 'shh',
      MICROSOFT_ISSUER_URL: 'http://127.0.0.1:9',
    })
    const away = { status: 503, body: { error: 'provider-unavailable' } }
    expect(answers).toMatchObject([away, away])
  })
})
