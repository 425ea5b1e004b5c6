import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('disconnectProviderACalendar', () => {
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

  it('deletes the tokens and says nothing to the provider', async () => {
    const { browser, id } = await newPerson(office)
    await vendor.connect(browser, 'A')
    await vendor.connect(browser, 'B')
    const asked = [vendor.tokenForms.length, vendor.asked.length]
    expect(await browser.call('disconnectProviderACalendar')).toEqual({
      code: 200,
      message: expect.any(String),
    })
    const { rows } = await office.database.pool.query(
      'select provider from calendar_connections where user_id = $1',
      [id],
    )
    expect(rows).toEqual([{ provider: 'provider-b' }])
    expect([vendor.tokenForms.length, vendor.asked.length]).toEqual(asked)
    expect(vendor.revoked).toEqual([])
    expect((await browser.call('getCurrentUser')).integrations.providerACalendar.connected).toBe(false)
  })

  it('always succeeds: without a connection, twice, with a dead one, and only for the one who asks', async () => {
    const { browser } = await newPerson(office)
    const other = await newPerson(office)
    await vendor.connect(other.browser, 'A')
    await vendor.connect(browser, 'A')
    vendor.endAccess()
    vendor.endConsent()
    expect((await browser.request('listProviderACalendars')).status).toBe(409)
    for (let times = 0; times < 3; times += 1)
      expect((await browser.request('disconnectProviderACalendar')).status).toBe(200)
    expect((await other.browser.call('getCurrentUser')).integrations.providerACalendar.connected).toBe(true)
  })

  it('can be followed by another connection', async () => {
    const { browser } = await newPerson(office)
    vendor.respond = () => ({ body: { items: [] } })
    for (let times = 0; times < 2; times += 1) {
      await vendor.connect(browser, 'A')
      expect(await browser.call('listProviderACalendars')).toEqual([])
      await browser.call('disconnectProviderACalendar')
    }
    expect((await browser.request('listProviderACalendars')).status).toBe(409)
  })

  it('is refused without a session', async () => {
    expect((await office.browser().request('disconnectProviderACalendar')).status).toBe(401)
  })
})
