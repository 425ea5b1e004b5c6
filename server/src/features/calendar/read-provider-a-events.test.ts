import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

const asked = (eventId: string, calendarId = 'primary') => ({ events: [{ calendarId, eventId }] })

describe('readProviderAEvents', () => {
  let vendor: CalendarVendor
  let office: TestOffice
  let person: Person
  beforeAll(async () => {
    vendor = await calendarVendor()
    office = await openTestOffice({ settings: vendor.settings })
    person = await newPerson(office)
    await vendor.connect(person.browser, 'A')
  })
  afterAll(async () => {
    await office.close()
    await vendor.close()
  })
  beforeEach(() => {
    vendor.asked.length = 0
  })
  const master = {
    id: 'master',
    summary: 'Stand-up',
    description: '<b>What was</b>',
    start: { dateTime: '2026-01-05T09:30:00+01:00', timeZone: 'Europe/Zurich' },
    end: { dateTime: '2026-01-05T09:45:00+01:00', timeZone: 'Europe/Zurich' },
    recurrence: ['EXDATE;TZID=Europe/Zurich:20260406T093000', 'RRULE:FREQ=WEEKLY;BYDAY=MO'],
    organizer: { email: 'grace@people.example', displayName: 'Grace Hopper' },
    attendees: [{ email: 'a@people.example', responseStatus: 'needsAction' }],
  }

  it('answers the detail form, with the rule of a master', async () => {
    vendor.respond = () => ({ body: master })
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
    const { recurrence: _rule, description: _text, organizer: _who, attendees: _all, ...bare } = master
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

  it('answers many in the order in which they were asked for', async () => {
    vendor.respond = ({ path }) => ({ body: { ...master, summary: path.split('/').at(-1) } })
    const events = Array.from({ length: 100 }, (_, index) => ({
      calendarId: 'primary',
      eventId: `e${index}`,
    }))
    const found = await person.browser.call('readProviderAEvents', { events })
    expect(found.map(({ id, title }) => [id, title])).toEqual(events.map(({ eventId }) => [eventId, eventId]))
    expect(await person.browser.call('readProviderAEvents', { events: [] })).toEqual([])
  })

  it.each([
    ['unknown', { status: 404, body: {} }],
    ['gone', { status: 410, body: { error: { code: 410, errors: [{ reason: 'deleted' }] } } }],
    ['cancelled', { body: { id: 'x', status: 'cancelled' } }],
    ['somebody else’s', { status: 403, body: { error: { code: 403, errors: [{ reason: 'forbidden' }] } } }],
  ])('is 404 for an event that is %s', async (_case, reply) => {
    vendor.respond = () => reply
    expect(await person.browser.request('readProviderAEvents', asked('x'))).toMatchObject({
      status: 404,
      body: { error: 'event-not-found' },
    })
  })

  it('leaves out an event that has vanished, and answers the others', async () => {
    vendor.respond = ({ path }) =>
      path.endsWith('/vanished') ? { status: 410, body: {} } : { body: { ...master, id: 'there' } }
    const events = ['first', 'vanished', 'last'].map((eventId) => ({ calendarId: 'primary', eventId }))
    const found = await person.browser.call('readProviderAEvents', { events })
    expect(found.map(({ id }) => id)).toEqual(['first', 'last'])
  })

  it('lets no id lead out of its calendar', async () => {
    vendor.respond = () => ({ status: 404, body: {} })
    for (const [eventId, calendarId] of [
      ['..', 'primary'],
      ['x', '..'],
      ['../../users/me/calendarList', 'primary'],
    ] as const)
      expect((await person.browser.request('readProviderAEvents', asked(eventId, calendarId))).status).toBe(
        404,
      )
    expect(vendor.asked).toHaveLength(1)
    expect(vendor.asked[0]?.path).toBe('/calendar/v3/calendars/primary/events/../../users/me/calendarList')
  })

  it.each([
    ['no calendar', { events: [{ eventId: 'x' }] }],
    ['no event', { events: [{ calendarId: 'x' }] }],
    ['an empty id', { events: [{ calendarId: 'x', eventId: '' }] }],
    ['no list', { events: { calendarId: 'x', eventId: 'y' } }],
    ['too many', { events: Array(101).fill({ calendarId: 'x', eventId: 'y' }) }],
    ['nothing', {}],
  ])('refuses %s', async (_case, input) => {
    const answer = await person.browser.request('readProviderAEvents', input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('is 502 where the provider fails, 409 where nothing is connected, 401 without a session', async () => {
    vendor.respond = () => ({ status: 500, body: {} })
    expect((await person.browser.request('readProviderAEvents', asked('x'))).status).toBe(502)
    const { browser } = await newPerson(office)
    expect((await browser.request('readProviderAEvents', asked('x'))).status).toBe(409)
    expect((await office.browser().request('readProviderAEvents', asked('x'))).status).toBe(401)
  })
})
