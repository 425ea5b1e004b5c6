import type { CalendarEvent } from '../../../ports/calendar.ts'

/** When a meeting takes place, and nothing else of it: RFC 3339. */
export interface Meeting {
  start: string
  end: string
}

/**
 * The events that put a user in a meeting: not those of whole days, nor those that they have declined or marked as
 * free. Cancelled ones are not among events.
 */
export function meetingsOf(events: readonly CalendarEvent[]): Meeting[] {
  return events
    .filter(
      ({ allDay, takesTime, start, end }) => takesTime && !allDay && Date.parse(end) > Date.parse(start),
    )
    .map(({ start, end }) => ({ start: new Date(start).toISOString(), end: new Date(end).toISOString() }))
}
