import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherThan, type Provider, providers } from '../../../tests/chapters/calendars.ts'
import type { TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'
import {
  type CalendarVendor,
  openVendorOffice,
  type VendorReply,
} from '../../../tests/vendors/calendar-vendor.ts'

let vendor: CalendarVendor
let office: TestOffice
let close: () => Promise<void>
let person: Person
beforeAll(async () => {
  ;({ vendor, office, close } = await openVendorOffice(({ url, settings }) => ({
    ...settings,
    GOOGLE_CALENDAR_URL: `${url}/calendar/v3/`,
  })))
  person = await newPerson(office)
  for (const provider of providers) await vendor.connect(person.browser, provider)
})
afterAll(() => close())
beforeEach(() => {
  vendor.asked.length = 0
})

interface Vendor {
  pages: (url: string) => [first: object, second: object]
  /** Only in the address of the second page. */
  cursor: string
  path: string
  shown: object[]
  faults: [what: string, reply: VendorReply][]
}

const VENDORS: Record<Provider, Vendor> = {
  A: {
    pages: () => [
      {
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
      {
        items: [
          { id: 'c', summary: 'No colour', backgroundColor: 'red' },
          { id: 'd', deleted: true },
        ],
      },
    ],
    cursor: 'pageToken',
    path: '/calendar/v3/users/me/calendarList',
    // own names first
    shown: [
      { id: 'primary', name: 'me@people.example', color: '#9fe1e7' },
      { id: 'b', name: 'My team', color: '#0b8043' },
      { id: 'c', name: 'No colour', color: '#4285f4' },
    ],
    faults: [
      ['fails', { status: 500, body: {} }],
      ['is not there', { status: 404, body: {} }],
      ['answers something else', { body: { items: [{ id: 5 }] } }],
      [
        'does not know this API',
        { status: 403, body: { error: { code: 403, errors: [{ reason: 'accessNotConfigured' }] } } },
      ],
    ],
  },
  B: {
    pages: (url) => [
      {
        '@odata.nextLink': `${url}/v1.0/me/calendars?$skip=2`,
        value: [
          { id: 'AAMka=', name: 'Calendar', color: 'lightBlue', hexColor: '', isDefaultCalendar: true },
          { id: 'AAMkb=', name: 'Team', color: 'auto', hexColor: '#0B8043', isDefaultCalendar: false },
        ],
      },
      { value: [{ id: 'AAMkc=', name: null, color: 'auto', hexColor: null }] },
    ],
    cursor: '$skip',
    path: '/v1.0/me/calendars',
    // named colours too
    shown: [
      { id: 'primary', name: 'Calendar', color: '#a6d1f5' },
      { id: 'AAMkb=', name: 'Team', color: '#0b8043' },
      { id: 'AAMkc=', name: '', color: '#0078d4' },
    ],
    faults: [
      ['fails', { status: 500, body: {} }],
      ['is not there', { status: 404, body: {} }],
      ['answers something else', { body: { value: [{ name: 'no id' }] } }],
    ],
  },
}

describe.each(providers)('listProvider%sCalendars', (provider) => {
  const operation = `listProvider${provider}Calendars` as const
  const { pages, cursor, path, shown, faults } = VENDORS[provider]

  it('answers all of them over all pages: the main one as primary, colours as #rrggbb', async () => {
    const [first, second] = pages(vendor.url)
    vendor.respond = ({ query }) => ({ body: query.has(cursor) ? second : first })
    expect(await person.browser.call(operation)).toEqual(shown)
    expect(vendor.asked.map((asked) => asked.path)).toEqual([path, path])
  })

  it.each(faults)('is 502 where the provider %s', async (_case, reply) => {
    vendor.respond = () => reply
    expect(await person.browser.request(operation)).toMatchObject({ status: 502, body: { code: 502 } })
  })

  it('is 409 where nothing is connected, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    await vendor.connect(browser, otherThan(provider))
    expect(await browser.request(operation)).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request(operation)).status).toBe(401)
  })
})
