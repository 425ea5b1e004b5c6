import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

const asked = (eventId: string, calendarId = 'primary') => ({ events: [{ calendarId, eventId }] })
const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })
const berlin = {
  originalStartTimeZone: 'W. Europe Standard Time',
  originalEndTimeZone: 'W. Europe Standard Time',
}

describe('readProviderBEvents', () => {
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
  const master = {
    id: 'AAMkm=',
    type: 'seriesMaster',
    subject: 'Stand-up',
    body: { contentType: 'text', content: 'What was' },
    bodyPreview: 'What',
    ...berlin,
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
  const instance = {
    ...master,
    id: 'AAMkinstance=',
    type: 'occurrence',
    seriesMasterId: 'AAMkm=',
    recurrence: null,
    originalStart: '2026-03-30T07:30:00Z',
    start: utc('2026-03-30T07:30:00'),
    end: utc('2026-03-30T07:45:00'),
  }

  it('answers the detail form, with the rule of a master', async () => {
    vendor.respond = () => ({ body: master })
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
        ...instance,
        type: 'exception',
        originalStart: '2026-04-06T07:30:00Z',
        start: utc('2026-04-20T07:30:00'),
        end: utc('2026-04-20T07:45:00'),
      }
      return {
        body: { value: [{ ...instance, seriesMasterId: 'AAMkother=' }, instance, ...(wide ? [moved] : [])] },
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

  it.each([
    ['unknown', { status: 404, body: { error: { code: 'ErrorItemNotFound' } } }],
    ['malformed', { status: 400, body: { error: { code: 'ErrorInvalidIdMalformed' } } }],
    ['cancelled', { body: { ...master, isCancelled: true } }],
  ])('is 404 for an event that is %s', async (_case, reply) => {
    vendor.respond = () => reply
    expect(await person.browser.request('readProviderBEvents', asked('x'))).toMatchObject({ status: 404 })
  })

  it('is 502 where the provider fails, 409 where nothing is connected, 401 without a session', async () => {
    vendor.respond = () => ({ body: { id: 'x' } })
    expect((await person.browser.request('readProviderBEvents', asked('x'))).status).toBe(502)
    const { browser } = await newPerson(office)
    expect((await browser.request('readProviderBEvents', asked('x'))).status).toBe(409)
    expect((await office.browser().request('readProviderBEvents', asked('x'))).status).toBe(401)
    expect((await person.browser.request('readProviderBEvents', { events: [{}] } as never)).status).toBe(400)
  })
})
