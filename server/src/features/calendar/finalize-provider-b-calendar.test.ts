import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectCalendar, consent, newPkce } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('finalizeProviderBCalendar', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('connects, beside a calendar of provider A and without touching it', async () => {
    const { browser } = await newPerson(office)
    await connectCalendar(office, browser, 'A')
    const { code, codeVerifier } = await consent(office, browser, 'B')
    expect(await browser.call('finalizeProviderBCalendar', { code, codeVerifier })).toMatchObject({
      code: 200,
    })
    expect((await browser.call('getCurrentUser')).integrations).toEqual({
      providerACalendar: { connected: true, enabled: true },
      providerBCalendar: { connected: true, enabled: true },
    })
  })

  it('lives on through refreshes that each bring another refresh token', async () => {
    const { browser } = await newPerson(office)
    await connectCalendar(office, browser, 'B')
    for (let hour = 0; hour < 3; hour += 1) {
      office.clock.advance(3_600)
      expect(await browser.call('listProviderBCalendars')).toHaveLength(3)
    }
  })

  it('refuses a wrong verifier, a code of the other provider, and a used one', async () => {
    const { browser } = await newPerson(office)
    const refused = { status: 400, body: { error: 'calendar-code-refused' } }
    const wrong = await consent(office, browser, 'B')
    const { codeVerifier } = newPkce()
    expect(
      await browser.request('finalizeProviderBCalendar', { code: wrong.code, codeVerifier }),
    ).toMatchObject(refused)
    const other = await consent(office, browser, 'A')
    const asItIs = ({ code, codeVerifier }: typeof other) => ({ code, codeVerifier })
    expect(await browser.request('finalizeProviderBCalendar', asItIs(other))).toMatchObject(refused)
    const good = asItIs(await consent(office, browser, 'B'))
    await browser.call('finalizeProviderBCalendar', good)
    expect(await browser.request('finalizeProviderBCalendar', good)).toMatchObject(refused)
  })

  it('refuses a missing verifier, and whoever has no session', async () => {
    const { browser } = await newPerson(office)
    expect((await browser.request('finalizeProviderBCalendar', { code: 'x' } as never)).status).toBe(400)
    const input = { code: 'x', codeVerifier: 'a'.repeat(43) }
    expect((await office.browser().request('finalizeProviderBCalendar', input)).status).toBe(401)
  })
})
