import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

describe('listProviderBCalendars', () => {
  let vendor: CalendarVendor
  let office: TestOffice
  let person: Person
  beforeAll(async () => {
    vendor = await calendarVendor()
    office = await openTestOffice({ settings: vendor.settings })
    person = await newPerson(office)
    await vendor.connect(person.browser, 'B')
  })
  afterAll(async () => {
    await office.close()
    await vendor.close()
  })

  it('answers all of them over all pages: the main one as primary, named colours as #rrggbb', async () => {
    vendor.respond = ({ query }) =>
      query.has('$skip')
        ? { body: { value: [{ id: 'AAMkc=', name: null, color: 'auto', hexColor: null }] } }
        : {
            body: {
              '@odata.nextLink': `${vendor.url}/v1.0/me/calendars?$skip=2`,
              value: [
                { id: 'AAMka=', name: 'Calendar', color: 'lightBlue', hexColor: '', isDefaultCalendar: true },
                { id: 'AAMkb=', name: 'Team', color: 'auto', hexColor: '#0B8043', isDefaultCalendar: false },
              ],
            },
          }
    expect(await person.browser.call('listProviderBCalendars')).toEqual([
      { id: 'primary', name: 'Calendar', color: '#a6d1f5' },
      { id: 'AAMkb=', name: 'Team', color: '#0b8043' },
      { id: 'AAMkc=', name: '', color: '#0078d4' },
    ])
    expect(vendor.asked.map(({ path }) => path)).toEqual(Array(2).fill('/v1.0/me/calendars'))
  })

  it('is 502 where the provider fails or answers something else', async () => {
    vendor.respond = () => ({ status: 500, body: {} })
    expect((await person.browser.request('listProviderBCalendars')).status).toBe(502)
    vendor.respond = () => ({ body: { value: [{ name: 'no id' }] } })
    expect((await person.browser.request('listProviderBCalendars')).status).toBe(502)
  })

  it('is 409 where nothing is connected, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('listProviderBCalendars')).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request('listProviderBCalendars')).status).toBe(401)
  })
})
