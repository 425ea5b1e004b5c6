import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { connectCalendar } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('disconnectProviderBCalendar', () => {
  let vendor: CalendarVendor
  let office: TestOffice
  beforeAll(async () => {
    vendor = await calendarVendor()
    office = await openTestOffice({ settings: vendor.settings })
  })
  afterAll(async () => {
    await office.close()
    await vendor.close()
  })

  it('deletes the tokens and hands the refresh token in, where that can be done', async () => {
    const { browser, id } = await newPerson(office)
    await vendor.connect(browser, 'B')
    expect(await browser.call('disconnectProviderBCalendar')).toEqual({
      code: 200,
      message: expect.any(String),
    })
    expect(vendor.revoked).toHaveLength(1)
    expect(vendor.tokens).toContain(vendor.revoked[0])
    const { rows } = await office.database.pool.query(
      'select 1 from calendar_connections where user_id = $1',
      [id],
    )
    expect(rows).toEqual([])
    expect((await browser.call('getCurrentUser')).integrations).toEqual({
      providerACalendar: { connected: false, enabled: true },
    })
  })

  it('always succeeds: without a connection, twice, with a dead one', async () => {
    const { browser } = await newPerson(office)
    await vendor.connect(browser, 'B')
    vendor.endAccess()
    vendor.endConsent()
    for (let times = 0; times < 3; times += 1)
      expect((await browser.request('disconnectProviderBCalendar')).status).toBe(200)
  })

  it('succeeds where the provider is away, and where it has taken its address with it', async () => {
    const passing = await calendarVendor()
    const other = await openTestOffice({ settings: passing.settings })
    const { browser } = await newPerson(other)
    await passing.connect(browser, 'B')
    await passing.close()
    expect((await browser.request('disconnectProviderBCalendar')).status).toBe(200)
    expect((await browser.request('listProviderBCalendars')).status).toBe(409)
    await other.close()
  })

  it('ends a consent of the sandbox', async () => {
    const sandbox = await openTestOffice()
    const { browser } = await newPerson(sandbox)
    await connectCalendar(sandbox, browser, 'B')
    expect(await browser.call('listProviderBCalendars')).toHaveLength(3)
    await browser.call('disconnectProviderBCalendar')
    expect((await browser.request('listProviderBCalendars')).status).toBe(409)
    await sandbox.close()
  })

  it('is refused without a session', async () => {
    expect((await office.browser().request('disconnectProviderBCalendar')).status).toBe(401)
  })
})
