import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherThan, type Provider, providers } from '../../../../tests/chapters/calendars.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { newPerson, type Person } from '../../../../tests/people.ts'
import {
  type CalendarVendor,
  openVendorOffice,
  type VendorReply,
} from '../../../../tests/vendors/calendar-vendor.ts'

const asked = (eventId: string, calendarId = 'primary') => ({ events: [{ calendarId, eventId }] })
const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })

const masterA = {
  id: 'master',
  summary: 'Stand-up',
  description: '<b>What was</b>',
  start: { dateTime: '2026-01-05T09:30:00+01:00', timeZone: 'Europe/Zurich' },
  end: { dateTime: '2026-01-05T09:45:00+01:00', timeZone: 'Europe/Zurich' },
  recurrence: ['EXDATE;TZID=Europe/Zurich:20260406T093000', 'RRULE:FREQ=WEEKLY;BYDAY=MO'],
  organizer: { email: 'grace@people.example', displayName: 'Grace Hopper' },
  attendees: [{ email: 'a@people.example', responseStatus: 'needsAction' }],
}
const masterB = {
  id: 'AAMkm=',
  type: 'seriesMaster',
  subject: 'Stand-up',
  body: { contentType: 'text', content: 'What was' },
  bodyPreview: 'What',
  originalStartTimeZone: 'W. Europe Standard Time',
  originalEndTimeZone: 'W. Europe Standard Time',
  start: utc('2026-01-05T08:30:00'),
  end: utc('2026-01-05T08:45:00'),
  organizer: { emailAddress: { name: 'Grace Hopper', address: 'grace@people.example' } },
  attendees: [],
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'wednesday'], firstDayOfWeek: 'sunday' },
    range: {
      type: 'endDate',
      startDate: '2026-01-05',
      endDate: '2026-06-30',
      recurrenceTimeZone: 'W. Europe Standard Time',
    },
  },
}
const instanceB = {
  ...masterB,
  id: 'AAMkinstance=',
  type: 'occurrence',
  seriesMasterId: 'AAMkm=',
  recurrence: null,
  originalStart: '2026-03-30T07:30:00Z',
  start: utc('2026-03-30T07:30:00'),
  end: utc('2026-03-30T07:45:00'),
}

interface Vendor {
  /** As its API answers an event of that id and title. */
  event: (id: string, title?: string) => VendorReply
  /** Where the events of a calendar are asked for. */
  eventsAt: (calendarId: string) => string
  absent: [what: string, reply: VendorReply][]
  gone: VendorReply
  faults: VendorReply[]
}

const VENDORS: Record<Provider, Vendor> = {
  A: {
    event: (id, summary = 'One') => ({ body: { ...masterA, id, summary } }),
    eventsAt: (calendarId) => `/calendar/v3/calendars/${calendarId}/events`,
    absent: [
      ['unknown', { status: 404, body: {} }],
      ['gone', { status: 410, body: { error: { code: 410, errors: [{ reason: 'deleted' }] } } }],
      ['cancelled', { body: { id: 'x', status: 'cancelled' } }],
      ['somebody else’s', { status: 403, body: { error: { code: 403, errors: [{ reason: 'forbidden' }] } } }],
    ],
    gone: { status: 410, body: {} },
    faults: [{ status: 500, body: {} }, { body: { items: 'none' } }],
  },
  B: {
    event: (id, subject = 'One') => ({ body: { ...masterB, id, subject } }),
    eventsAt: (calendarId) =>
      calendarId === 'primary' ? '/v1.0/me/events' : `/v1.0/me/calendars/${calendarId}/events`,
    absent: [
      ['unknown', { status: 404, body: { error: { code: 'ErrorItemNotFound' } } }],
      ['malformed', { status: 400, body: { error: { code: 'ErrorInvalidIdMalformed' } } }],
      ['cancelled', { body: { ...masterB, isCancelled: true } }],
    ],
    gone: { status: 404, body: { error: { code: 'ErrorItemNotFound' } } },
    faults: [{ status: 500, body: {} }, { body: { items: 'none' } }],
  },
}

let vendor: CalendarVendor
let office: TestOffice
let close: () => Promise<void>
let person: Person
beforeAll(async () => {
  ;({ vendor, office, close } = await openVendorOffice())
  person = await newPerson(office)
  for (const provider of providers) await vendor.connect(person.browser, provider)
})
afterAll(() => close())
beforeEach(() => {
  vendor.asked.length = 0
})

describe.each(providers)('readProvider%sEvents', (provider) => {
  const operation = `readProvider${provider}Events` as const
  const { event, eventsAt, absent, gone, faults } = VENDORS[provider]

  it('answers many in the order in which they were asked for', async () => {
    vendor.respond = ({ path }) => {
      const id = path.split('/').at(-1) ?? ''
      return event(id, id)
    }
    const events = Array.from({ length: 100 }, (_, index) => ({
      calendarId: 'primary',
      eventId: `e${index}`,
    }))
    const found = await person.browser.call(operation, { events })
    expect(found.map(({ id, title }) => [id, title])).toEqual(events.map(({ eventId }) => [eventId, eventId]))
    expect(await person.browser.call(operation, { events: [] })).toEqual([])
  })

  it.each(absent)('is 404 for an event that is %s', async (_case, reply) => {
    vendor.respond = () => reply
    expect(await person.browser.request(operation, asked('x'))).toMatchObject({
      status: 404,
      body: { error: 'event-not-found' },
    })
  })

  it('leaves out an event that has vanished, and answers the others', async () => {
    vendor.respond = ({ path }) => (path.endsWith('/vanished') ? gone : event(path.split('/').at(-1) ?? ''))
    const events = ['first', 'vanished', 'last'].map((eventId) => ({ calendarId: 'primary', eventId }))
    const found = await person.browser.call(operation, { events })
    expect(found.map(({ id }) => id)).toEqual(['first', 'last'])
  })

  it('lets no id lead out of its calendar', async () => {
    vendor.respond = () => ({ status: 404, body: {} })
    for (const [eventId, calendarId] of [
      ['..', 'primary'],
      ['x', '..'],
      ['../../users/me/calendarList', 'primary'],
    ] as const)
      expect((await person.browser.request(operation, asked(eventId, calendarId))).status).toBe(404)
    expect(vendor.asked).toHaveLength(1)
    expect(vendor.asked[0]?.path).toBe(`${eventsAt('primary')}/../../users/me/calendarList`)
  })

  it.each([
    ['no calendar', { events: [{ eventId: 'x' }] }],
    ['no event', { events: [{ calendarId: 'x' }] }],
    ['neither of them', { events: [{}] }],
    ['an empty id', { events: [{ calendarId: 'x', eventId: '' }] }],
    ['no list', { events: { calendarId: 'x', eventId: 'y' } }],
    ['too many', { events: Array(101).fill({ calendarId: 'x', eventId: 'y' }) }],
    ['nothing', {}],
  ])('refuses %s', async (_case, input) => {
    const answer = await person.browser.request(operation, input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('is 502 where the provider fails, 409 where nothing is connected, 401 without a session', async () => {
    for (const fault of faults) {
      vendor.respond = () => fault
      expect((await person.browser.request(operation, asked('x'))).status).toBe(502)
    }
    const { browser } = await newPerson(office)
    await vendor.connect(browser, otherThan(provider))
    expect((await browser.request(operation, asked('x'))).status).toBe(409)
    expect((await office.browser().request(operation, asked('x'))).status).toBe(401)
  })
})

describe('what readProviderAEvents understands', () => {
  it('answers the detail form, with the rule of a master', async () => {
    vendor.respond = () => ({ body: masterA })
    expect(await person.browser.call('readProviderAEvents', asked('master', 'team@x.example'))).toEqual([
      {
        id: 'master',
        calendarId: 'team@x.example',
        title: 'Stand-up',
        description: '<b>What was</b>',
        start: '2026-01-05T09:30:00+01:00',
        end: '2026-01-05T09:45:00+01:00',
        startTimezone: 'Europe/Zurich',
        endTimezone: 'Europe/Zurich',
        recurringEventId: '',
        recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO\nEXDATE;TZID=Europe/Zurich:20260406T093000',
        organizer: { email: 'grace@people.example', name: 'Grace Hopper' },
        attendees: [{ email: 'a@people.example', status: 'pending' }],
      },
    ])
    expect(vendor.asked.map(({ path }) => path)).toEqual([
      '/calendar/v3/calendars/team@x.example/events/master',
    ])
  })

  it('answers an instance without a rule, and what is missing as nothing', async () => {
    const { recurrence: _rule, description: _text, organizer: _who, attendees: _all, ...bare } = masterA
    vendor.respond = () => ({ body: { ...bare, id: 'other', recurringEventId: 'master' } })
    const [found] = await person.browser.call('readProviderAEvents', asked('master_20260330T073000Z'))
    expect(found).toMatchObject({
      id: 'master_20260330T073000Z',
      recurringEventId: 'master',
      recurrence: '',
      description: '',
      organizer: { email: '', name: '' },
      attendees: [],
    })
  })

  it('asks for the zone of the calendar where an event of whole days names none', async () => {
    vendor.respond = ({ path }) =>
      path.endsWith('/primary')
        ? { body: { timeZone: 'Asia/Tokyo' } }
        : { body: { id: 'day', start: { date: '2026-03-29' }, end: { date: '2026-03-31' } } }
    const [found] = await person.browser.call('readProviderAEvents', asked('day'))
    expect(found).toMatchObject({
      start: '2026-03-29T00:00:00+09:00',
      end: '2026-03-31T00:00:00+09:00',
      startTimezone: 'Asia/Tokyo',
      allDay: true,
    })
  })
})

describe('what readProviderBEvents understands', () => {
  it('answers the detail form, with the rule of a master', async () => {
    vendor.respond = () => ({ body: masterB })
    expect(await person.browser.call('readProviderBEvents', asked('AAMkm='))).toEqual([
      {
        id: 'AAMkm=',
        calendarId: 'primary',
        title: 'Stand-up',
        description: 'What was',
        start: '2026-01-05T09:30:00+01:00',
        end: '2026-01-05T09:45:00+01:00',
        startTimezone: 'Europe/Berlin',
        endTimezone: 'Europe/Berlin',
        recurringEventId: '',
        recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;WKST=SU;UNTIL=20260630T215959Z',
        organizer: { email: 'grace@people.example', name: 'Grace Hopper' },
        attendees: [],
      },
    ])
    await person.browser.call('readProviderBEvents', asked('AAMkm=', 'AAMkteam='))
    expect(vendor.asked.map(({ path }) => path)).toEqual([
      '/v1.0/me/events/AAMkm=',
      '/v1.0/me/calendars/AAMkteam=/events/AAMkm=',
    ])
  })

  it('finds an instance by the id that the list gave it, also where it was moved far away', async () => {
    vendor.respond = ({ query }) => {
      const wide = Date.parse(query.get('endDateTime') ?? '') > Date.parse('2026-04-10T00:00:00Z')
      const moved = {
        ...instanceB,
        type: 'exception',
        originalStart: '2026-04-06T07:30:00Z',
        start: utc('2026-04-20T07:30:00'),
        end: utc('2026-04-20T07:45:00'),
      }
      return {
        body: {
          value: [{ ...instanceB, seriesMasterId: 'AAMkother=' }, instanceB, ...(wide ? [moved] : [])],
        },
      }
    }
    const [planned] = await person.browser.call('readProviderBEvents', asked('AAMkm=_20260330T073000Z'))
    expect(planned).toMatchObject({
      id: 'AAMkm=_20260330T073000Z',
      start: '2026-03-30T09:30:00+02:00',
      recurringEventId: 'AAMkm=',
      recurrence: '',
      description: 'What was',
    })
    const [moved] = await person.browser.call('readProviderBEvents', asked('AAMkm=_20260406T073000Z'))
    expect(moved).toMatchObject({ id: 'AAMkm=_20260406T073000Z', start: '2026-04-20T09:30:00+02:00' })
    expect(
      await person.browser.request('readProviderBEvents', asked('AAMkm=_20260407T073000Z')),
    ).toMatchObject({
      status: 404,
      body: { error: 'event-not-found' },
    })
  })
})
