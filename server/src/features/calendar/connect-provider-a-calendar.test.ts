import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentUrlOf, newPkce } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'
import { surferOf } from '../../../tests/surfer.ts'

describe('connectProviderACalendar', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it("sends the client's state and challenge to the provider, and asks to be let in again later", async () => {
    const { browser } = await newPerson(office)
    const pkce = newPkce()
    const url = new URL(await consentUrlOf(browser, 'A', pkce))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'atrium',
      redirect_uri: `${office.office.config.frontendUrl}/calendar/complete`,
      scope: 'https://www.googleapis.com/auth/calendar.readonly',
      state: pkce.state,
      code_challenge: pkce.codeChallenge,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    })
    expect(url.href).not.toContain(pkce.codeVerifier)
  })

  it('asks on a page of one form, where one may also say no', async () => {
    const { browser } = await newPerson(office)
    const pkce = newPkce()
    const surfer = surferOf(office)
    const page = await surfer.visit(await consentUrlOf(browser, 'A', pkce))
    expect(page.html).toContain('asks to read your calendars')
    expect(page.html.match(/<form/g)).toHaveLength(1)
    const end = await surfer.answer(page.url, { answer: 'no' })
    expect(end.url.pathname).toBe('/calendar/complete')
    expect(Object.fromEntries(end.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: pkce.state,
    })
    expect(end.html).toContain('Connecting the calendar')
  })

  it.each([
    ['no state', { codeChallenge: 'a'.repeat(43) }, 'state'],
    ['an empty state', { state: '', codeChallenge: 'a'.repeat(43) }, 'state'],
    ['a state of another type', { state: 5, codeChallenge: 'a'.repeat(43) }, 'state'],
    ['no challenge', { state: 's' }, 'codeChallenge'],
    ['an empty challenge', { state: 's', codeChallenge: '' }, 'codeChallenge'],
    ['a challenge of 42 characters', { state: 's', codeChallenge: 'a'.repeat(42) }, 'codeChallenge'],
    ['a challenge of 129 characters', { state: 's', codeChallenge: 'a'.repeat(129) }, 'codeChallenge'],
    [
      'a challenge in another alphabet',
      { state: 's', codeChallenge: `${'a'.repeat(43)}&x=y` },
      'codeChallenge',
    ],
  ])('refuses %s', async (_case, input, field) => {
    const { browser } = await newPerson(office)
    const answer = await browser.request('connectProviderACalendar', input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(JSON.stringify(answer.body)).toContain(field)
  })

  it('is refused without a session', async () => {
    const { state, codeChallenge } = newPkce()
    const answer = await office.browser().request('connectProviderACalendar', { state, codeChallenge })
    expect(answer.status).toBe(401)
  })
})
