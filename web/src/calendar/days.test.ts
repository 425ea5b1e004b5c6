import { describe, expect, it } from 'vitest'
import { daysOf, isNow, type ShownEvent, startOfWeek } from './days.ts'

const event = (start: string, end: string, more: Partial<ShownEvent> = {}): ShownEvent => ({
  ...{ key: start, id: start, calendarId: 'primary', title: start, start, end, color: '#123456' },
  ...{ calendarName: 'Work', startTimezone: 'UTC', endTimezone: 'UTC', recurringEventId: '' },
  ...{ organizer: { email: '' }, attendees: [] },
  ...more,
})
const at = (day: number, hour: number) => new Date(2026, 2, day, hour).toISOString()
const MONDAY = new Date(2026, 2, 23)

describe('the days of a calendar', () => {
  it('begin the week on Monday', () => {
    expect(startOfWeek(new Date(2026, 2, 29, 23)).getDate()).toBe(23)
    expect(startOfWeek(new Date(2026, 2, 23)).getDate()).toBe(23)
  })

  it('show what lasts longer on each day, whole days first, then by time', () => {
    const days = daysOf(
      [
        event(at(23, 14), at(23, 15)),
        event(at(23, 9), at(23, 10)),
        event('2026-03-23T00:00:00+13:00', '2026-03-24T00:00:00+13:00', { allDay: true, key: 'fair' }),
        event(at(23, 23), at(24, 1), { key: 'night' }),
      ],
      MONDAY,
      2,
    )
    expect(days.map(({ events }) => events.map(({ key }) => key))).toEqual([
      ['fair', at(23, 9), at(23, 14), 'night'],
      ['night'],
    ])
  })

  it('tell what goes on at the moment', () => {
    const talk = event(at(23, 9), at(23, 10))
    expect(isNow(talk, new Date(2026, 2, 23, 9, 30))).toBe(true)
    expect(isNow(talk, new Date(2026, 2, 23, 10))).toBe(false)
    expect(isNow({ ...talk, allDay: true }, new Date(2026, 2, 23, 9, 30))).toBe(false)
  })
})
