import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPkce } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'
import { trusted } from '../../platform/ids.ts'
import { switchCalendars } from './switch-calendars.ts'

describe('connectProviderBCalendar', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'http://front.example:5173' } })
  })
  afterAll(() => office.close())

  it('answers the address without a wrapping, of the front end that is configured', async () => {
    const { browser } = await newPerson(office)
    const { state, codeChallenge } = newPkce()
    const answer = await browser.call('connectProviderBCalendar', { state, codeChallenge })
    expect(Object.keys(answer)).toEqual(['redirectUrl'])
    expect(Object.fromEntries(new URL(answer.redirectUrl).searchParams)).toMatchObject({
      response_type: 'code',
      response_mode: 'query',
      redirect_uri: 'http://front.example:5173/calendar/complete',
      scope: 'offline_access Calendars.Read',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('has no page of its own where the front end is elsewhere', async () => {
    expect((await fetch(`${office.baseUrl}/calendar/complete`)).status).toBe(404)
  })

  it('refuses what is no challenge, and whoever has no session', async () => {
    const { browser } = await newPerson(office)
    const answer = await browser.request('connectProviderBCalendar', {
      state: 's',
      codeChallenge: 'not base64url',
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    const { state, codeChallenge } = newPkce()
    expect(
      (await office.browser().request('connectProviderBCalendar', { state, codeChallenge })).status,
    ).toBe(401)
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
    const connect = () => browser.request('connectProviderBCalendar', { state, codeChallenge })
    const enabled = async () => (await browser.call('getCurrentUser')).integrations.providerACalendar.enabled
    await switchCalendars(office.database.db, organization, 'off', office.clock.now())
    expect(await connect()).toMatchObject({ status: 403, body: { error: 'calendar-disabled' } })
    expect(await enabled()).toBe(false)
    expect((await browser.request('listProviderBCalendars')).status).toBe(403)
    expect((await browser.request('disconnectProviderBCalendar')).status).toBe(200)
    await switchCalendars(office.database.db, organization, 'on', office.clock.now())
    expect((await connect()).status).toBe(200)
    expect(await enabled()).toBe(true)
  })

  it('is refused where calendars are switched off as a whole', async () => {
    const without = await openTestOffice({ settings: { CALENDAR_ENABLED: 'false' } })
    const { browser } = await newPerson(without)
    const { state, codeChallenge } = newPkce()
    expect(await browser.request('connectProviderBCalendar', { state, codeChallenge })).toMatchObject({
      status: 403,
      body: { error: 'calendar-disabled' },
    })
    await without.close()
  })

  it('says that the provider is away where it is, without a word of its own', async () => {
    const lost = await openTestOffice({
      settings: {
        MICROSOFT_CLIENT_ID: 'us',
        MICROSOFT_CLIENT_SECRET: 'shh',
        MICROSOFT_ISSUER_URL: 'http://127.0.0.1:9',
      },
    })
    const { browser } = await newPerson(lost)
    const { state, codeChallenge } = newPkce()
    expect(await browser.request('connectProviderBCalendar', { state, codeChallenge })).toMatchObject({
      status: 503,
      body: { error: 'provider-unavailable' },
    })
    await lost.close()
  })
})
