import type { Room } from '@atrium/client/rooms'
import type { CalendarEvent } from '../../calendar/days.ts'

const MINUTE_MS = 60_000
/** From so many minutes before it begins, to so many after. */
const SHOWN = { before: 10, after: 10 }

/** The meeting to go to: the first one of those that begin soon. What takes the whole day, or oneself alone, is none. */
export function nextMeeting<Event extends CalendarEvent>(
  events: readonly Event[],
  now: Date,
): Event | undefined {
  return events
    .filter((event) => {
      const minutes = minutesUntil(event, now)
      const isMeeting = event.allDay !== true && event.attendees.length > 1
      return isMeeting && minutes <= SHOWN.before && minutes > -SHOWN.after && new Date(event.end) > now
    })
    .sort((one, other) => Date.parse(one.start) - Date.parse(other.start))[0]
}

/** Rounded up: a meeting in ten seconds is not now. */
export function minutesUntil({ start }: Pick<CalendarEvent, 'start'>, now: Date): number {
  return Math.ceil((Date.parse(start) - now.getTime()) / MINUTE_MS)
}

/** A calendar knows no rooms of the office; a title that names one means it. The longest name counts. */
export function roomNamedIn(title: string, rooms: readonly Room[]): Room | undefined {
  const text = title.toLocaleLowerCase()
  return rooms
    .filter(({ name }) => text.includes(name.toLocaleLowerCase()))
    .sort((one, other) => other.name.length - one.name.length)[0]
}
