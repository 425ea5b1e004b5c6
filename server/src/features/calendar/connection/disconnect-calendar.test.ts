import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectCalendar, isConnected, otherThan, providers } from '../../../../tests/chapters/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newPerson } from '../../../../tests/people.ts'
import { type CalendarVendor, listFrom, openVendorOffice } from '../../../../tests/vendors/calendar-vendor.ts'

let vendor: CalendarVendor
let office: TestOffice
let close: () => Promise<void>
beforeAll(async () => {
  ;({ vendor, office, close } = await openVendorOffice())
})
afterAll(() => close())
beforeEach(() => {
  vendor.revoked.length = 0
})

describe.each(providers)('disconnectProvider%sCalendar', (provider) => {
  const operation = `disconnectProvider${provider}Calendar` as const
  const other = otherThan(provider)

  it('deletes the tokens; the refresh token is handed in at provider B alone', async () => {
    const { browser, id } = await newPerson(office)
    await vendor.connect(browser, provider)
    const before = vendor.tokens.length
    await vendor.connect(browser, other)
    const mine = vendor.tokens.slice(before - 2, before)
    const asked = [vendor.tokenForms.length, vendor.asked.length]
    expect(await browser.call(operation)).toEqual({ code: 200, message: expect.any(String) })
    const { rows } = await office.database.pool.query(
      'select provider from calendar_connections where user_id = $1',
      [id],
    )
    expect(rows).toEqual([{ provider: `provider-${other.toLowerCase()}` }])
    expect([vendor.tokenForms.length, vendor.asked.length]).toEqual(asked)
    expect(vendor.revoked).toHaveLength(provider === 'A' ? 0 : 1)
    for (const token of vendor.revoked) expect(mine).toContain(token)
    expect([await isConnected(browser, provider), await isConnected(browser, other)]).toEqual([false, true])
  })

  it('always succeeds: without a connection, twice, with a dead one, and only for the one who asks', async () => {
    const { browser } = await newPerson(office)
    const colleague = await newPerson(office)
    await vendor.connect(colleague.browser, provider)
    await vendor.connect(browser, provider)
    vendor.endAccess()
    vendor.endConsent()
    expect((await browser.request(`listProvider${provider}Calendars`)).status).toBe(409)
    for (let times = 0; times < 3; times += 1) expect((await browser.request(operation)).status).toBe(200)
    expect(await isConnected(colleague.browser, provider)).toBe(true)
  })

  it('can be followed by another connection', async () => {
    const { browser } = await newPerson(office)
    vendor.respond = () => listFrom(provider, [])
    for (let times = 0; times < 2; times += 1) {
      await vendor.connect(browser, provider)
      expect(await browser.call(`listProvider${provider}Calendars`)).toEqual([])
      await browser.call(operation)
    }
    expect((await browser.request(`listProvider${provider}Calendars`)).status).toBe(409)
  })

  it('is refused without a session', async () => {
    expect((await office.browser().request(operation)).status).toBe(401)
  })
})

describe('disconnecting a calendar', () => {
  it('leaves nothing of it in the profile', async () => {
    const { browser, id } = await newPerson(office)
    await vendor.connect(browser, 'B')
    await browser.call('disconnectProviderBCalendar')
    const { rows } = await office.database.pool.query(
      'select 1 from calendar_connections where user_id = $1',
      [id],
    )
    expect(rows).toEqual([])
    expect((await browser.call('getCurrentUser')).integrations).toEqual({
      providerACalendar: { connected: false, enabled: true },
    })
  })

  it('succeeds where the provider is away, and where it has taken its address with it', async () => {
    const passing = await openVendorOffice()
    const { browser } = await newPerson(passing.office)
    for (const provider of providers) await passing.vendor.connect(browser, provider)
    await passing.vendor.close()
    for (const provider of providers) {
      expect((await browser.request(`disconnectProvider${provider}Calendar`)).status).toBe(200)
      expect((await browser.request(`listProvider${provider}Calendars`)).status).toBe(409)
    }
    await passing.office.close()
  })

  it('ends a consent of the sandbox', async () => {
    const sandbox = await openTestOffice()
    const { browser } = await newPerson(sandbox)
    for (const provider of providers) {
      await connectCalendar(sandbox, browser, provider)
      expect(await browser.call(`listProvider${provider}Calendars`)).toHaveLength(3)
      await browser.call(`disconnectProvider${provider}Calendar`)
      expect((await browser.request(`listProvider${provider}Calendars`)).status).toBe(409)
    }
    await sandbox.close()
  })
})
