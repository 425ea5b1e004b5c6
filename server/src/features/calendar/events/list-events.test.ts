import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectCalendar, otherThan, type Provider, providers } from '../../../../tests/chapters/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newPerson, type Person } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { until } from '../../../../tests/until.ts'
import {
  type CalendarVendor,
  calendarVendor,
  listFrom,
  openVendorOffice,
  type VendorReply,
} from '../../../../tests/vendors/calendar-vendor.ts'

const WEEK = { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-30T00:00:00+02:00' }
const weekOf = (...ids: string[]) => ({ calendars: ids.map((calendarId) => ({ calendarId, ...WEEK })) })
const week = (calendarId = 'primary') => weekOf(calendarId)
const timed = (dateTime: string, timeZone = 'Europe/Zurich') => ({ dateTime, timeZone })
const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })

const oneB = {
  id: 'AAMkone=',
  subject: 'One',
  start: utc('2026-03-25T09:00:00'),
  end: utc('2026-03-25T10:00:00'),
}

interface Vendor {
  one: { id: string; start: object; end: object }
  /** How it says that it cannot tell of one calendar, and that there is no such calendar. */
  broken: VendorReply
  absent: VendorReply[]
  odd: object
  unknownAt: string
}

const VENDORS: Record<Provider, Vendor> = {
  A: {
    one: {
      id: 'one',
      start: timed('2026-03-25T10:00:00+01:00'),
      end: timed('2026-03-25T11:00:00+01:00'),
    },
    broken: { status: 400, body: {} },
    absent: [{ status: 404, body: {} }],
    odd: { items: 'none' },
    unknownAt: '/calendar/v3/calendars/unknown/events',
  },
  B: {
    one: oneB,
    broken: { status: 500, body: {} },
    absent: [
      { status: 404, body: {} },
      { status: 400, body: { error: { code: 'ErrorInvalidIdMalformed' } } },
    ],
    odd: { value: 'none' },
    unknownAt: '/v1.0/me/calendars/unknown/calendarView',
  },
}

const { log, lines } = recordedLog()
let vendor: CalendarVendor
let office: TestOffice
let close: () => Promise<void>
let person: Person
beforeAll(async () => {
  ;({ vendor, office, close } = await openVendorOffice(undefined, { log }))
  person = await newPerson(office)
  for (const provider of providers) await vendor.connect(person.browser, provider)
})
afterAll(() => close())
beforeEach(() => {
  vendor.asked.length = 0
})

describe.each(providers)('listProvider%sEvents', (provider) => {
  const operation = `listProvider${provider}Events` as const
  const providerName = provider === 'A' ? 'google calendar' : 'microsoft graph'
  const { one, broken, absent, odd, unknownAt } = VENDORS[provider]
  const good = listFrom(provider, [one])

  it.each<[string, VendorReply]>([
    ['fails for good', { status: 500, body: {} }],
    ['answers something else', { body: odd }],
  ])('is 502 where the only calendar %s', async (_case, fault) => {
    vendor.respond = () => fault
    expect(await person.browser.request(operation, week())).toMatchObject({
      status: 502,
      body: { code: 502, error: 'provider-unavailable' },
    })
  })

  it('shows the others where one event cannot be read; counts it, and says so once, without a word of it', async () => {
    const odd = [{ id: 'canary-of-an-event', summary: 'canary', subject: 'canary' }, null]
    vendor.respond = () => listFrom(provider, [...odd, one] as object[])
    lines.length = 0
    const counted = async () => {
      const page = await (await fetch(`${office.baseUrl}/metrics`)).text()
      const line = page
        .split('\n')
        .find(
          (text) =>
            text.startsWith('outside_parts_left_out_total{') &&
            text.includes(providerName) &&
            text.includes('"event"'),
        )
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const before = await counted()
    for (let times = 0; times < 3; times++)
      expect(await person.browser.call(operation, week())).toMatchObject([{ events: [{ id: one.id }] }])
    await until(async () => (await counted()) - before === 3 * odd.length)
    const told = lines.filter(({ part }) => part === 'event')
    expect(told).toMatchObject([{ provider: providerName, repeated: 0 }])
    expect(JSON.stringify(lines)).not.toContain('canary')
  })

  it.each(['primary', 'another'])('shows a calendar of nothing but an odd event as empty: %s', async (id) => {
    vendor.respond = () => listFrom(provider, [{ id: 'odd' }])
    expect(await person.browser.call(operation, week(id))).toEqual([{ calendarId: id, events: [] }])
  })

  it('asks for consent again where the vendor answers 403, in whatever words', async () => {
    const { browser } = await newPerson(office)
    await vendor.connect(browser, provider)
    const reauth = { status: 409, body: { error: 'calendar-reauth-required' } }
    vendor.respond = () => ({ status: 403, raw: '<html>' })
    expect(await browser.request(operation, week())).toMatchObject(reauth)
    vendor.respond = () => good
    expect(await browser.request(operation, week())).toMatchObject(reauth)
    await vendor.connect(browser, provider)
    expect((await browser.request(operation, week())).status).toBe(200)
  })

  it('tells which calendar failed beside the others, and never shows it as empty without a word', async () => {
    vendor.respond = ({ path }) =>
      path.includes('/broken/') ? broken : path.includes('/gone/') ? (absent[0] as VendorReply) : good
    const found = await person.browser.call(operation, weekOf('primary', 'broken', 'gone', 'a/../b'))
    expect(found).toMatchObject([
      { calendarId: 'primary', events: [{ id: one.id, calendarId: 'primary' }] },
      { calendarId: 'broken', events: [], error: 'calendar-unavailable' },
      { calendarId: 'gone', events: [], error: 'calendar-unavailable' },
      { calendarId: 'a/../b', events: [{ id: one.id, calendarId: 'a/../b' }] },
    ])
    expect(Object.keys(found[0] ?? {})).toEqual(['calendarId', 'events'])
    expect((await person.browser.request(operation, weekOf('broken', 'gone'))).status).toBe(502)
    expect((await person.browser.request(operation, weekOf('gone', '..'))).status).toBe(404)
  })

  it('asks for several calendars side by side, but not for all at once', async () => {
    let [running, most] = [0, 0]
    vendor.respond = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 30))
      running -= 1
      return good
    }
    const ids = Array.from({ length: 30 }, (_, index) => `c${index}`)
    const found = await person.browser.call(operation, weekOf(...ids))
    expect(found.map(({ calendarId }) => calendarId)).toEqual(ids)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
  })

  it('is 404 where there is no such calendar, also for names that lead elsewhere', async () => {
    for (const reply of absent) {
      vendor.asked.length = 0
      vendor.respond = () => reply
      for (const calendarId of ['unknown', '.', '..'])
        expect(await person.browser.request(operation, week(calendarId))).toMatchObject({
          status: 404,
          body: { error: 'calendar-not-found' },
        })
      expect(vendor.asked.map(({ path }) => path)).toEqual([unknownAt])
    }
  })

  it.each([
    ['reversed', { timeMin: WEEK.timeMax, timeMax: WEEK.timeMin }],
    ['empty', { timeMin: WEEK.timeMin, timeMax: WEEK.timeMin }],
    ['ten years long', { timeMin: '2020-01-01T00:00:00Z', timeMax: '2030-01-01T00:00:00Z' }],
    ['without an offset', { timeMin: '2026-03-23T00:00:00.000', timeMax: WEEK.timeMax }],
    ['a day', { timeMin: '2026-03-23', timeMax: WEEK.timeMax }],
    ['no day', { timeMin: '2026-02-30T00:00:00Z', timeMax: WEEK.timeMax }],
    ['no time', { timeMin: 'the day before yesterday', timeMax: WEEK.timeMax }],
    ['with a space', { timeMin: '2026-03-23 00:00:00Z', timeMax: WEEK.timeMax }],
    ['missing', { timeMin: WEEK.timeMin } as never],
    ['a number', { timeMin: 5, timeMax: WEEK.timeMax } as never],
  ])('refuses a span that is %s, and asks no provider', async (_case, span) => {
    const input = { calendars: [{ calendarId: 'primary', ...span }] }
    expect(await person.browser.request(operation, input)).toMatchObject({
      status: 400,
      body: {
        code: 400,
        error: 'invalid-input',
        details: [{ field: expect.stringMatching(/^calendars\.0\.time/) }],
      },
    })
    expect(vendor.asked).toEqual([])
  })

  it('answers nothing for no calendar, and refuses more than fifty', async () => {
    expect(await person.browser.call(operation, { calendars: [] })).toEqual([])
    const many = weekOf(...Array<string>(51).fill('primary'))
    expect((await person.browser.request(operation, many)).status).toBe(400)
  })

  it('is 409 where nothing is connected, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    await vendor.connect(browser, otherThan(provider))
    expect(await browser.request(operation, week())).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request(operation, week())).status).toBe(401)
  })
})

describe('what listProviderAEvents understands', () => {
  const events = async (items: object[]) => {
    vendor.respond = () => ({ body: { kind: 'calendar#events', timeZone: 'Europe/Zurich', items } })
    const [found] = await person.browser.call('listProviderAEvents', week())
    return found?.events
  }

  it('asks for instances between the two times, by start', async () => {
    await events([])
    expect(vendor.asked.map(({ path }) => path)).toEqual(['/calendar/v3/calendars/primary/events'])
    expect(Object.fromEntries(vendor.asked[0]?.query ?? [])).toMatchObject({
      singleEvents: 'true',
      orderBy: 'startTime',
      timeMin: '2026-03-23T00:00:00.000Z',
      timeMax: '2026-03-29T22:00:00.000Z',
    })
  })

  it('answers the list form: ids, offsets and zones as they are, everything else left out', async () => {
    const found = await events([
      {
        kind: 'calendar#event',
        etag: '"1"',
        id: 'master_20260330T073000Z',
        status: 'confirmed',
        htmlLink: 'https://vendor.example',
        summary: 'Stand-up',
        description: 'not in the list',
        creator: { email: 'x@y.example' },
        organizer: { email: 'grace@people.example', displayName: 'Grace' },
        start: timed('2026-03-30T09:30:00+02:00'),
        end: timed('2026-03-30T09:45:00+02:00'),
        recurringEventId: 'master',
        originalStartTime: timed('2026-03-30T09:30:00+02:00'),
        attendees: [
          { email: 'a@people.example', responseStatus: 'needsAction' },
          { email: 'b@people.example', responseStatus: 'accepted', self: true },
          { email: 'c@people.example', responseStatus: 'declined' },
          { email: 'd@people.example', responseStatus: 'tentative', optional: true },
        ],
      },
    ])
    expect(found).toEqual([
      {
        id: 'master_20260330T073000Z',
        calendarId: 'primary',
        title: 'Stand-up',
        start: '2026-03-30T09:30:00+02:00',
        end: '2026-03-30T09:45:00+02:00',
        startTimezone: 'Europe/Zurich',
        endTimezone: 'Europe/Zurich',
        recurringEventId: 'master',
        organizer: { email: 'grace@people.example' },
        attendees: [
          { email: 'a@people.example', status: 'pending' },
          { email: 'b@people.example', status: 'accepted' },
          { email: 'c@people.example', status: 'declined' },
          { email: 'd@people.example', status: 'tentative' },
        ],
      },
    ])
  })

  it('understands what is there by half: bare, of whole days, in zones of their own, cancelled', async () => {
    const found = await events([
      { id: 'bare', start: { dateTime: '2026-03-25T10:00:00Z' }, end: { dateTime: '2026-03-25T11:00:00Z' } },
      { id: 'day_20260329', start: { date: '2026-03-29' }, end: { date: '2026-03-30' } },
      {
        id: 'trip',
        start: timed('2026-03-25T10:00:00', 'Asia/Tokyo'),
        end: timed('2026-03-25T06:00:00-07:00', 'America/Phoenix'),
      },
      {
        id: 'odd',
        start: timed('2026-03-25T10:00:00+01:00', 'GMT+01:00'),
        end: timed('2026-03-25T11:00:00+01:00', 'x'),
      },
      { id: 'gone', status: 'cancelled' },
    ])
    const plain = {
      title: '',
      recurringEventId: '',
      organizer: { email: '' },
      attendees: [],
      calendarId: 'primary',
    }
    const zurich = { startTimezone: 'Europe/Zurich', endTimezone: 'Europe/Zurich' }
    expect(found).toEqual([
      { ...plain, ...zurich, id: 'bare', start: '2026-03-25T10:00:00Z', end: '2026-03-25T11:00:00Z' },
      // the day on which the clocks go forward
      {
        ...plain,
        ...zurich,
        id: 'day_20260329',
        allDay: true,
        start: '2026-03-29T00:00:00+01:00',
        end: '2026-03-30T00:00:00+02:00',
      },
      {
        ...plain,
        id: 'trip',
        start: '2026-03-25T10:00:00+09:00',
        end: '2026-03-25T06:00:00-07:00',
        startTimezone: 'Asia/Tokyo',
        endTimezone: 'America/Phoenix',
      },
      {
        ...plain,
        ...zurich,
        id: 'odd',
        start: '2026-03-25T10:00:00+01:00',
        end: '2026-03-25T11:00:00+01:00',
      },
    ])
  })
})

describe('what listProviderBEvents understands', () => {
  const events = async (value: object[]) => {
    vendor.respond = () => ({ body: { '@odata.context': 'x', value } })
    const [found] = await person.browser.call('listProviderBEvents', week())
    return found?.events
  }
  const inTurn = (...replies: VendorReply[]) => {
    vendor.respond = () => (replies.length > 1 ? replies.shift() : replies[0]) as VendorReply
  }
  const oneFound = listFrom('B', [oneB])

  it('asks for the view of the calendar between the two times, in UTC', async () => {
    await events([])
    vendor.respond = () => oneFound
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
      { ...oneB, subject: null, organizer: null, attendees: null, originalStartTimeZone: null },
      {
        ...oneB,
        ...berlin,
        id: 'day',
        isAllDay: true,
        start: utc('2026-03-29T00:00:00'),
        end: utc('2026-03-30T00:00:00'),
      },
      {
        ...oneB,
        id: 'local',
        start: { dateTime: '2026-03-25T10:00:00.0000000', timeZone: 'Eastern Standard Time' },
        end: { dateTime: '2026-03-25T10:00:00', timeZone: 'America/New_York' },
      },
      { ...oneB, id: 'custom', originalStartTimeZone: 'tzone://Microsoft/Custom' },
      { ...oneB, id: 'occurrence', seriesMasterId: 'AAMkm=', type: 'occurrence', ...berlin },
      { ...oneB, id: 'gone', isCancelled: true },
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
      {
        body: { value: [oneB], '@odata.nextLink': `${elsewhere.url}/v1.0/me/calendar/calendarView?$skip=1` },
      },
      oneFound,
    )
    const [found] = await person.browser.call('listProviderBEvents', week())
    expect(found?.events).toHaveLength(2)
    expect(elsewhere.asked).toEqual([])
    inTurn({ body: { value: [], '@odata.nextLink': `${vendor.url}/token?x` } })
    expect((await person.browser.request('listProviderBEvents', week())).status).toBe(502)
    await elsewhere.close()
  })
})

describe('listing events in the sandbox', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows the same week at both providers, as far as the two vendors say the same', async () => {
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
