import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

describe('listProviderACalendars', () => {
  let vendor: CalendarVendor
  let office: TestOffice
  let person: Person
  beforeAll(async () => {
    vendor = await calendarVendor()
    const settings = { ...vendor.settings, GOOGLE_CALENDAR_URL: `${vendor.url}/calendar/v3/` }
    office = await openTestOffice({ settings })
    person = await newPerson(office)
    await vendor.connect(person.browser, 'A')
  })
  afterAll(async () => {
    await office.close()
    await vendor.close()
  })

  it('answers all of them over all pages: the main one as primary, colours as #rrggbb, own names first', async () => {
    vendor.respond = ({ query }) =>
      query.has('pageToken')
        ? {
            body: {
              items: [
                { id: 'c', summary: 'No colour', backgroundColor: 'red' },
                { id: 'd', deleted: true },
              ],
            },
          }
        : {
            body: {
              kind: 'calendar#calendarList',
              nextPageToken: 'n',
              items: [
                {
                  id: 'me@people.example',
                  summary: 'me@people.example',
                  primary: true,
                  backgroundColor: '#9FE1E7',
                },
                {
                  id: 'b',
                  summary: 'Team',
                  summaryOverride: 'My team',
                  backgroundColor: '#0b8043',
                  timeZone: 'UTC',
                },
              ],
            },
          }
    expect(await person.browser.call('listProviderACalendars')).toEqual([
      { id: 'primary', name: 'me@people.example', color: '#9fe1e7' },
      { id: 'b', name: 'My team', color: '#0b8043' },
      { id: 'c', name: 'No colour', color: '#4285f4' },
    ])
    expect(vendor.asked.map(({ path }) => path)).toEqual(Array(2).fill('/calendar/v3/users/me/calendarList'))
  })

  it.each([
    ['fails', { status: 500, body: {} }],
    ['is not there', { status: 404, body: {} }],
    ['answers something else', { body: { items: [{ id: 5 }] } }],
    [
      'does not know this API',
      { status: 403, body: { error: { code: 403, errors: [{ reason: 'accessNotConfigured' }] } } },
    ],
  ])('is 502 where the provider %s', async (_case, reply) => {
    vendor.respond = () => reply
    expect(await person.browser.request('listProviderACalendars')).toMatchObject({
      status: 502,
      body: { code: 502 },
    })
  })

  it('is 409 where nothing is connected, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('listProviderACalendars')).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request('listProviderACalendars')).status).toBe(401)
  })
})
