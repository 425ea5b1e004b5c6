import { expect, it } from 'vitest'
import type { CalendarEvent } from '../../../ports/calendar.ts'
import { meetingsOf } from './meetings.ts'

function event(more: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    ...{ id: 'one', title: 'Secret plan', organizerEmail: 'ada@people.example', attendees: [] },
    ...{ start: '2026-03-23T09:00:00+01:00', end: '2026-03-23T10:00:00+01:00' },
    ...{ startTimezone: 'Europe/Berlin', endTimezone: 'Europe/Berlin', recurringEventId: '' },
    ...{ allDay: false, takesTime: true, ...more },
  }
}

it('leaves times of meetings, and nothing else', () => {
  expect(meetingsOf([event()])).toEqual([
    { start: '2026-03-23T08:00:00.000Z', end: '2026-03-23T09:00:00.000Z' },
  ])
})

it.each<[string, Partial<CalendarEvent>]>([
  ['of whole days', { allDay: true }],
  ['that takes no time: declined, or marked as free', { takesTime: false }],
  ['without length', { end: '2026-03-23T09:00:00+01:00' }],
])('finds no meeting in an event %s', (_, more) => {
  expect(meetingsOf([event(more)])).toEqual([])
})

it('finds a meeting where it was moved to', () => {
  const moved = event({ start: '2026-03-23T15:00:00+01:00', end: '2026-03-23T15:30:00+01:00' })
  expect(meetingsOf([moved])).toEqual([
    { start: '2026-03-23T14:00:00.000Z', end: '2026-03-23T14:30:00.000Z' },
  ])
})
