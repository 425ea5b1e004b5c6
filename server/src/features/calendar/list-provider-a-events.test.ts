import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CalendarVendor, calendarVendor, type VendorReply } from '../../../tests/calendar-vendor.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

const WEEK = { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-30T00:00:00+02:00' }
const week = (calendarId = 'primary') => ({ calendars: [{ calendarId, ...WEEK }] })
const timed = (dateTime: string, timeZone = 'Europe/Zurich') => ({ dateTime, timeZone })

describe('listProviderAEvents', () => {
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
  const events = async (items: object[]) => {
    vendor.respond = () => ({ body: { kind: 'calendar#events', timeZone: 'Europe/Zurich', items } })
    const [found] = await person.browser.call('listProviderAEvents', week())
    return found?.events
  }
  const one = {
    id: 'one',
    start: timed('2026-03-25T10:00:00+01:00'),
    end: timed('2026-03-25T11:00:00+01:00'),
  }
  const good: VendorReply = { body: { items: [one] } }

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

  it.each<[string, VendorReply]>([
    ['fails for good', { status: 500, body: {} }],
    ['answers something else', { body: { items: 'none' } }],
  ])('is 502 where the only calendar %s', async (_case, fault) => {
    vendor.respond = () => fault
    expect(await person.browser.request('listProviderAEvents', week())).toMatchObject({
      status: 502,
      body: { code: 502, error: 'provider-unavailable' },
    })
  })

  it('tells which calendar failed beside the others, and never shows it as empty without a word', async () => {
    vendor.respond = ({ path }) =>
      path.includes('/broken/')
        ? { status: 400, body: {} }
        : path.includes('/gone/')
          ? { status: 404, body: {} }
          : good
    const calendars = ['primary', 'broken', 'gone', 'a/../b'].map((calendarId) => ({ calendarId, ...WEEK }))
    const found = await person.browser.call('listProviderAEvents', { calendars })
    expect(found).toMatchObject([
      { calendarId: 'primary', events: [{ id: 'one', calendarId: 'primary' }] },
      { calendarId: 'broken', events: [], error: 'calendar-unavailable' },
      { calendarId: 'gone', events: [], error: 'calendar-unavailable' },
      { calendarId: 'a/../b', events: [{ id: 'one', calendarId: 'a/../b' }] },
    ])
    expect(Object.keys(found[0] ?? {})).toEqual(['calendarId', 'events'])
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
    const calendars = Array.from({ length: 30 }, (_, index) => ({ calendarId: `c${index}`, ...WEEK }))
    const found = await person.browser.call('listProviderAEvents', { calendars })
    expect(found.map(({ calendarId }) => calendarId)).toEqual(calendars.map(({ calendarId }) => calendarId))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
  })

  it('is 404 where there is no such calendar, also for names that lead elsewhere', async () => {
    vendor.respond = () => ({ status: 404, body: {} })
    for (const calendarId of ['unknown', '.', '..', '\ud800'])
      expect(await person.browser.request('listProviderAEvents', week(calendarId))).toMatchObject({
        status: 404,
        body: { error: 'calendar-not-found' },
      })
    expect(vendor.asked.map(({ path }) => path)).toEqual(['/calendar/v3/calendars/unknown/events'])
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
  ])('refuses a span that is %s, and asks nobody', async (_case, span) => {
    const input = { calendars: [{ calendarId: 'primary', ...span }] }
    expect(await person.browser.request('listProviderAEvents', input)).toMatchObject({
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
    expect(await person.browser.call('listProviderAEvents', { calendars: [] })).toEqual([])
    const calendars = Array.from({ length: 51 }, () => ({ calendarId: 'primary', ...WEEK }))
    expect((await person.browser.request('listProviderAEvents', { calendars })).status).toBe(400)
  })

  it('is 409 where nothing is connected, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('listProviderAEvents', week())).toMatchObject({
      status: 409,
      body: { error: 'calendar-not-connected' },
    })
    expect((await office.browser().request('listProviderAEvents', week())).status).toBe(401)
  })
})
