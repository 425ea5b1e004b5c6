import type { CalendarEvent, CalendarEventDetails } from '../../../ports/calendar.ts'

/** Field by field: there are thousands of them, and spreading each takes longer than all else that is done here. */
export function listForm(calendarId: string, event: CalendarEvent) {
  const form = {
    id: event.id,
    calendarId,
    title: event.title,
    start: event.start,
    end: event.end,
    startTimezone: event.startTimezone,
    endTimezone: event.endTimezone,
    recurringEventId: event.recurringEventId,
    organizer: { email: event.organizerEmail },
    attendees: event.attendees,
  }
  return event.allDay ? { ...form, allDay: true } : form
}

export function detailForm(calendarId: string, event: CalendarEventDetails) {
  const { organizerEmail: email, organizerName: name, description, recurrence } = event
  return { ...listForm(calendarId, event), organizer: { email, name }, description, recurrence }
}
