import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor, type VendorReply } from '../../../tests/calendar-vendor.ts'
import { connectCalendar } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

const WEEK = { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-30T00:00:00+02:00' }
const week = (calendarId = 'primary') => ({ calendars: [{ calendarId, ...WEEK }] })
const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })

describe('listProviderBEvents', () => {
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
  beforeEach(() => {
    vendor.asked.length = 0
  })
  const events = async (value: object[]) => {
    vendor.respond = () => ({ body: { '@odata.context': 'x', value } })
    const [found] = await person.browser.call('listProviderBEvents', week())
    return found?.events
  }
  const inTurn = (...replies: VendorReply[]) => {
    vendor.respond = () => (replies.length > 1 ? replies.shift() : replies[0]) as VendorReply
  }
  const one = {
    id: 'AAMkone=',
    subject: 'One',
    start: utc('2026-03-25T09:00:00'),
    end: utc('2026-03-25T10:00:00'),
  }
  const good: VendorReply = { body: { value: [one] } }

  it('asks for the view of the calendar between the two times, in UTC', async () => {
    await events([])
    vendor.respond = () => good
    await person.browser.call('listProviderBEvents', week('AAMkAD+/='))
    expect(vendor.asked.map(({ path }) => path)).toEqual([
      '/v1.0/me/calendar/calendarView',
      '/v1.0/me/calendars/AAMkAD+/=/calendarView',
    ])
    expect(Object.fromEntries(vendor.asked[0]?.query ?? [])).toMatchObject({
      startDateTime: '2026-03-23T00:00:00.000Z',
      endDateTime: '2026-03-29T22:00:00.000Z',
    })
    expect(vendor.asked[0]?.headers.prefer).toContain('outlook.timezone="UTC"')
  })

  it('answers the list form: instances called by master and planned time, IANA zones, offsets of those', async () => {
    const found = await events([
      {
        '@odata.etag': 'W/"x"',
        id: 'AAMkinstance=',
        seriesMasterId: 'AAMkmaster=',
        type: 'exception',
        subject: 'Stand-up',
        bodyPreview: 'not in the list',
        originalStart: '2026-03-30T07:30:00Z',
        originalStartTimeZone: 'W. Europe Standard Time',
        originalEndTimeZone: 'Pacific Standard Time',
        start: utc('2026-03-30T09:00:00'),
        end: utc('2026-03-30T09:15:00'),
        isAllDay: false,
        isCancelled: false,
        organizer: { emailAddress: { name: 'Grace', address: 'grace@people.example' } },
        attendees: ['none', 'organizer', 'tentativelyAccepted', 'accepted', 'declined', 'notResponded'].map(
          (response) => ({
            type: 'required',
            status: { response, time: '0001-01-01T00:00:00Z' },
            emailAddress: { name: response, address: `${response}@people.example` },
          }),
        ),
      },
    ])
    expect(found).toEqual([
      {
        id: 'AAMkmaster=_20260330T073000Z',
        calendarId: 'primary',
        title: 'Stand-up',
        start: '2026-03-30T11:00:00+02:00',
        end: '2026-03-30T02:15:00-07:00',
        startTimezone: 'Europe/Berlin',
        endTimezone: 'America/Los_Angeles',
        recurringEventId: 'AAMkmaster=',
        organizer: { email: 'grace@people.example' },
        attendees: [
          { email: 'none@people.example', status: 'pending' },
          { email: 'organizer@people.example', status: 'accepted' },
          { email: 'tentativelyAccepted@people.example', status: 'tentative' },
          { email: 'accepted@people.example', status: 'accepted' },
          { email: 'declined@people.example', status: 'declined' },
          { email: 'notResponded@people.example', status: 'pending' },
        ],
      },
    ])
  })

  it('understands what is there by half: bare, of whole days, in other zones than asked for, cancelled', async () => {
    const berlin = {
      originalStartTimeZone: 'W. Europe Standard Time',
      originalEndTimeZone: 'W. Europe Standard Time',
    }
    const found = await events([
      { ...one, subject: null, organizer: null, attendees: null, originalStartTimeZone: null },
      {
        ...one,
        ...berlin,
        id: 'day',
        isAllDay: true,
        start: utc('2026-03-29T00:00:00'),
        end: utc('2026-03-30T00:00:00'),
      },
      {
        ...one,
        id: 'local',
        start: { dateTime: '2026-03-25T10:00:00.0000000', timeZone: 'Eastern Standard Time' },
        end: { dateTime: '2026-03-25T10:00:00', timeZone: 'America/New_York' },
      },
      { ...one, id: 'custom', originalStartTimeZone: 'tzone://Microsoft/Custom' },
      { ...one, id: 'occurrence', seriesMasterId: 'AAMkm=', type: 'occurrence', ...berlin },
      { ...one, id: 'gone', isCancelled: true },
    ])
    expect(found?.map(({ id, start, end, startTimezone }) => [id, start, end, startTimezone])).toEqual([
      ['AAMkone=', '2026-03-25T09:00:00+00:00', '2026-03-25T10:00:00+00:00', 'UTC'],
      ['day', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 'Europe/Berlin'],
      ['local', '2026-03-25T10:00:00-04:00', '2026-03-25T10:00:00-04:00', 'America/New_York'],
      ['custom', '2026-03-25T09:00:00+00:00', '2026-03-25T10:00:00+00:00', 'UTC'],
      ['AAMkm=_20260325T090000Z', '2026-03-25T10:00:00+01:00', '2026-03-25T11:00:00+01:00', 'Europe/Berlin'],
    ])
    expect(found?.[0]).toMatchObject({
      title: '',
      organizer: { email: '' },
      attendees: [],
      recurringEventId: '',
    })
    expect(found?.[1]).toMatchObject({ allDay: true })
  })

  it('takes the token nowhere else, wherever a link leads', async () => {
    const elsewhere = await calendarVendor()
    inTurn(
      { body: { value: [one], '@odata.nextLink': `${elsewhere.url}/v1.0/me/calendar/calendarView?$skip=1` } },
      good,
    )
    const [found] = await person.browser.call('listProviderBEvents', week())
    expect(found?.events).toHaveLength(2)
    expect(elsewhere.asked).toEqual([])
    inTurn({ body: { value: [], '@odata.nextLink': `${vendor.url}/token?x` } })
    expect((await person.browser.request('listProviderBEvents', week())).status).toBe(502)
    await elsewhere.close()
  })

  it('tells which calendar failed beside the others; all of them: 502, none there: 404', async () => {
    vendor.respond = ({ path }) =>
      path.includes('broken')
        ? { status: 500, body: {} }
        : path.includes('gone')
          ? { status: 404, body: {} }
          : good
    const asked = (ids: string[]) => ({ calendars: ids.map((calendarId) => ({ calendarId, ...WEEK })) })
    const found = await person.browser.call('listProviderBEvents', asked(['primary', 'broken', 'gone']))
    expect(found).toMatchObject([
      { calendarId: 'primary', events: [{ id: 'AAMkone=' }] },
      { calendarId: 'broken', events: [], error: 'calendar-unavailable' },
      { calendarId: 'gone', events: [], error: 'calendar-unavailable' },
    ])
    expect((await person.browser.request('listProviderBEvents', asked(['broken', 'gone']))).status).toBe(502)
    expect((await person.browser.request('listProviderBEvents', asked(['gone', '..']))).status).toBe(404)
    vendor.respond = () => ({ status: 400, body: { error: { code: 'ErrorInvalidIdMalformed' } } })
    expect((await person.browser.request('listProviderBEvents', asked(['x']))).status).toBe(404)
  })

  it('is 400 for a reversed span, 409 where nothing is connected, 401 without a session', async () => {
    const reversed = { calendars: [{ calendarId: 'primary', timeMin: WEEK.timeMax, timeMax: WEEK.timeMin }] }
    expect((await person.browser.request('listProviderBEvents', reversed)).status).toBe(400)
    const { browser } = await newPerson(office)
    await vendor.connect(browser, 'A')
    expect(await browser.request('listProviderBEvents', week())).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request('listProviderBEvents', week())).status).toBe(401)
  })
})

describe('listProviderBEvents in the sandbox', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows the same week as provider A, as far as the two vendors say the same', async () => {
    const { browser } = await newPerson(office)
    await connectCalendar(office, browser, 'A')
    await connectCalendar(office, browser, 'B')
    for (const [timeMin, timeMax] of [
      ['2026-03-01T00:00:00Z', '2026-04-05T00:00:00Z'],
      ['2026-10-12T00:00:00Z', '2026-11-09T00:00:00Z'],
    ] as const) {
      const calendars = [{ calendarId: 'primary', timeMin, timeMax }]
      const shown = async (provider: 'A' | 'B') => {
        const [found] = await browser.call(`listProvider${provider}Events`, { calendars })
        return found?.events.map((event) => ({
          title: event.title,
          start: Date.parse(event.start),
          end: Date.parse(event.end),
          zone: event.startTimezone,
          allDay: event.allDay,
          statuses: event.attendees.map(({ status }) => status),
        }))
      }
      const a = await shown('A')
      expect(a?.length).toBeGreaterThan(25)
      expect(await shown('B')).toEqual(a)
    }
  })
})
