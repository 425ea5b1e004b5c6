import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { compactUtc, isTimeZone, momentOf, nextMidnight, zonedText } from '../../platform/zoned-time.ts'
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
  transparency: text,
  eventType: text,
  attendees: Type.Optional(
    Type.Array(Type.Object({ email: text, self: Type.Optional(Type.Boolean()), responseStatus: text })),
  ),
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
  if (!start) return undefined
  const end = toMoment(event.end, calendarZone) ?? endOf(event.start, start)
  return {
    id: instanceIdOf(event, calendarZone),
    title: event.summary ?? '',
    start: start.text,
    end: end.text,
    allDay: event.start?.dateTime === undefined,
    startTimezone: start.zone,
    endTimezone: end.zone,
    recurringEventId: event.recurringEventId ?? '',
    takesTime: takesTime(event),
    organizerEmail: event.organizer?.email ?? '',
    attendees: (event.attendees ?? []).map(({ email, responseStatus }) => ({
      email: email ?? '',
      status: STATUSES[responseStatus ?? ''] ?? 'pending',
    })),
  }
}

/** Where somebody works is an event too, and no meeting. */
function takesTime({ transparency, eventType, attendees = [] }: GoogleEvent): boolean {
  if (transparency === 'transparent' || eventType === 'workingLocation') return false
  return !attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
}

/** An event without an end ends when it starts; one of whole days takes one day. */
function endOf(given: GoogleEvent['start'], start: { text: string; zone: string }) {
  if (given?.dateTime !== undefined) return start
  return { text: zonedText(nextMidnight(new Date(start.text), start.zone), start.zone), zone: start.zone }
}

const INSTANCE_BY_DAY = /^(.+)_(\d{4})(\d\d)(\d\d)$/

/**
 * Google names an instance of whole days by its date alone; the id on the wire carries the midnight at which that day
 * begins where the calendar is, in compact UTC, as every other instance's does.
 */
function instanceIdOf({ id, recurringEventId }: GoogleEvent, calendarZone: string): string {
  const [, master, year, month, day] = (recurringEventId && INSTANCE_BY_DAY.exec(id)) || []
  const midnight = `${year}-${month}-${day}T00:00:00`
  if (master === undefined || Number.isNaN(Date.parse(`${midnight}Z`))) return id
  return `${master}_${compactUtc(momentOf(midnight, calendarZone))}`
}

const INSTANCE_BY_MOMENT = /^(.+)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** Google's own id of what we call by a midnight; undefined where the id names no midnight of that zone. */
export function idByDay(id: string, calendarZone: string): string | undefined {
  const [, master, year, month, day, hour, minute, second] = INSTANCE_BY_MOMENT.exec(id) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (master === undefined || Number.isNaN(at.getTime())) return undefined
  const date = zonedText(at, calendarZone).slice(0, 10)
  const isMidnight = momentOf(`${date}T00:00:00`, calendarZone).getTime() === at.getTime()
  return isMidnight ? `${master}_${date.replaceAll('-', '')}` : undefined
}

/** Whether an id may be one that `idByDay` translates. */
export function mayNameDay(id: string): boolean {
  return INSTANCE_BY_MOMENT.test(id)
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
