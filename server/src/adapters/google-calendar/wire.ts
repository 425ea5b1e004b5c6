import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isTimeZone, momentOf, zonedText } from '../../platform/zoned-time.ts'
import type { AttendeeStatus, CalendarEvent, CalendarSummary } from '../../ports/calendar.ts'

/** The parts of the Calendar API v3 that we read. What is said is checked before it is believed. */

const text = Type.Optional(Type.String())

const Moment = Type.Object({ date: text, dateTime: text, timeZone: text })
const Person = Type.Object({ email: text, displayName: text })

const Event = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: text,
  summary: text,
  description: text,
  start: Type.Optional(Moment),
  end: Type.Optional(Moment),
  recurringEventId: text,
  recurrence: Type.Optional(Type.Array(Type.String())),
  organizer: Type.Optional(Person),
  attendees: Type.Optional(Type.Array(Type.Object({ email: text, responseStatus: text }))),
})
export type GoogleEvent = Static<typeof Event>

const ListEntry = Type.Object({
  id: Type.String({ minLength: 1 }),
  summary: text,
  summaryOverride: text,
  primary: Type.Optional(Type.Boolean()),
  deleted: Type.Optional(Type.Boolean()),
  backgroundColor: text,
})
export type GoogleCalendar = Static<typeof ListEntry>

const Fault = Type.Object({
  error: Type.Object({
    errors: Type.Optional(Type.Array(Type.Object({ reason: text }))),
    status: text,
    details: Type.Optional(Type.Array(Type.Object({ reason: text }))),
  }),
})

export const isEvent = Compile(Event)
export const isEventPage = Compile(
  Type.Object({ timeZone: text, nextPageToken: text, items: Type.Optional(Type.Array(Event)) }),
)
export const isCalendarPage = Compile(
  Type.Object({ nextPageToken: text, items: Type.Optional(Type.Array(ListEntry)) }),
)
export const isCalendar = Compile(Type.Object({ timeZone: text }))
const isFault = Compile(Fault)

/** Every word with which an error is explained, in whichever of its forms. */
export function reasonsOf(body: unknown): string[] {
  if (!isFault.Check(body)) return []
  const { errors = [], details = [] } = body.error
  return [...errors, ...details].flatMap(({ reason }) => reason ?? [])
}

const DEFAULT_COLOR = '#4285f4'

export function toCalendar(entry: GoogleCalendar): CalendarSummary {
  const color = entry.backgroundColor?.toLowerCase() ?? ''
  return {
    id: entry.primary ? 'primary' : entry.id,
    name: entry.summaryOverride ?? entry.summary ?? '',
    color: /^#[0-9a-f]{6}$/.test(color) ? color : DEFAULT_COLOR,
  }
}

/** @param calendarZone of events that name none. @returns undefined where it has no time that can be read */
export function toEvent(event: GoogleEvent, calendarZone: string): CalendarEvent | undefined {
  const start = toMoment(event.start, calendarZone)
  const end = toMoment(event.end, calendarZone)
  if (!start || !end) return undefined
  return {
    id: event.id,
    title: event.summary ?? '',
    start: start.text,
    end: end.text,
    allDay: event.start?.dateTime === undefined,
    startTimezone: start.zone,
    endTimezone: end.zone,
    recurringEventId: event.recurringEventId ?? '',
    organizerEmail: event.organizer?.email ?? '',
    attendees: (event.attendees ?? []).map(({ email, responseStatus }) => ({
      email: email ?? '',
      status: STATUSES[responseStatus ?? ''] ?? 'pending',
    })),
  }
}

const STATUSES: Record<string, AttendeeStatus> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  needsAction: 'pending',
}

/** Whether a time of the event is understood only with the zone of its calendar. */
export function needsCalendarZone({ start, end }: GoogleEvent): boolean {
  return [start, end].some((moment) => !moment?.timeZone || !isTimeZone(moment.timeZone))
}

const DAY = /^\d{4}-\d\d-\d\d$/
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/

function toMoment(
  moment: GoogleEvent['start'],
  calendarZone: string,
): { text: string; zone: string } | undefined {
  const named = moment?.timeZone
  const zone = named && isTimeZone(named) ? named : calendarZone
  const { date, dateTime } = moment ?? {}
  if (dateTime !== undefined) {
    // with its offset as the vendor has it
    if (!LOCAL.test(dateTime))
      return Number.isNaN(Date.parse(dateTime)) ? undefined : { text: dateTime, zone }
    return { text: zonedText(momentOf(dateTime, zone), zone), zone }
  }
  if (date === undefined || !DAY.test(date) || Number.isNaN(Date.parse(date))) return undefined
  return { text: zonedText(momentOf(`${date}T00:00:00`, zone), zone), zone }
}

/** The rule first, then what is added to and left out of it. */
export function recurrenceText(lines: readonly string[] = []): string {
  const isRule = (line: string) => line.startsWith('RRULE')
  return [...lines.filter(isRule), ...lines.filter((line) => !isRule(line))].join('\n')
}
