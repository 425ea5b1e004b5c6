import type { Room } from '@atrium/client/rooms'
import { expect, it } from 'vitest'
import type { CalendarEvent } from '../../calendar/days.ts'
import { nextMeeting, roomNamedIn } from './next-event.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 23, 9, minutes)).toISOString()
const event = (title: string, from: number, to: number, more: Partial<CalendarEvent> = {}) =>
  ({
    ...{ id: title, title, start: at(from), end: at(to), allDay: false },
    attendees: ['ada@people.example', 'grace@people.example'].map((email) => ({ email })),
    ...more,
  }) as CalendarEvent

it('shows the meeting that begins within ten minutes, or began in the last ten', () => {
  const now = new Date(at(20))
  const shown = (...events: CalendarEvent[]) => nextMeeting(events, now)?.title
  expect(shown(event('soon', 30, 60))).toBe('soon')
  expect(shown(event('later', 31, 60))).toBeUndefined()
  expect(shown(event('begun', 11, 60))).toBe('begun')
  expect(shown(event('long begun', 10, 60))).toBeUndefined()
  expect(shown(event('over', 12, 19))).toBeUndefined()
  expect(shown(event('second', 28, 60), event('first', 24, 60))).toBe('first')
})

it('shows no whole days, and nothing that one has with oneself alone', () => {
  const now = new Date(at(20))
  expect(nextMeeting([event('holiday', 21, 60, { allDay: true })], now)).toBeUndefined()
  expect(nextMeeting([event('focus', 21, 60, { attendees: [] })], now)).toBeUndefined()
})

it('knows the room that a title names, by the longest name', () => {
  const rooms = ['Meeting', 'Meeting room', 'Kitchen'].map((name) => ({ id: name, name })) as Room[]
  expect(roomNamedIn('Review, MEETING ROOM', rooms)?.id).toBe('Meeting room')
  expect(roomNamedIn('Lunch', rooms)).toBeUndefined()
})
