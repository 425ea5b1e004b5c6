import {
  fieldsOf,
  identifierOf,
  itemsOf,
  textOf,
  timeOf,
  wholeTextOf,
} from '../../platform/outside/outside-fields.ts'
import { compactUtc, isTimeZone, momentOf, nextMidnight, zonedText } from '../../platform/zoned-time.ts'
import {
  type AttendeeStatus,
  CALENDAR_BOUNDS,
  type CalendarEvent,
  type CalendarEventDetails,
  type CalendarSummary,
} from '../../ports/calendar.ts'

/** What an answer of the Calendar API v3 says, read part by part: one part that is odd hides no other. */

/** As the vendor writes it; `""` for what is not said. */
interface Moment {
  date: string
  dateTime: string
  zone: string
}

export interface GoogleEvent {
  id: string
  title: string
  description: string
  start: Moment
  end: Moment
  recurringEventId: string
  recurrence: string[]
  organizer: { email: string; name: string }
  takesTime: boolean
  attendees: { email: string; status: AttendeeStatus }[]
}

/** @returns undefined where it has no id */
export function readEvent(value: unknown): GoogleEvent | undefined {
  const said = fieldsOf(value)
  const id = identifierOf(said.id, CALENDAR_BOUNDS.id)
  if (id === undefined) return undefined
  const organizer = fieldsOf(said.organizer)
  const attendees = itemsOf(said.attendees, CALENDAR_BOUNDS.attendees).map(fieldsOf)
  return {
    id,
    title: textOf(said.summary, CALENDAR_BOUNDS.title),
    description: textOf(said.description, CALENDAR_BOUNDS.description),
    start: readMoment(said.start),
    end: readMoment(said.end),
    recurringEventId: identifierOf(said.recurringEventId, CALENDAR_BOUNDS.id) ?? '',
    recurrence: itemsOf(said.recurrence, RULES_MAX).map((line) => wholeTextOf(line, RULE_LENGTH_MAX)),
    organizer: {
      email: wholeTextOf(organizer.email, CALENDAR_BOUNDS.email),
      name: textOf(organizer.displayName, CALENDAR_BOUNDS.name),
    },
    takesTime: takesTime(said, attendees),
    attendees: attendees.flatMap((attendee) => {
      if (Object.keys(attendee).length === 0) return []
      const status = STATUSES.get(attendee.responseStatus) ?? 'pending'
      return [{ email: wholeTextOf(attendee.email, CALENDAR_BOUNDS.email), status }]
    }),
  }
}

const RULES_MAX = 100
const RULE_LENGTH_MAX = 8_192
/** Longer than any name of a zone, and than any time of day. */
const SHORT_LENGTH_MAX = 64

function readMoment(value: unknown): Moment {
  const { date, dateTime, timeZone } = fieldsOf(value)
  const short = (text: unknown) => wholeTextOf(text, SHORT_LENGTH_MAX)
  return { date: short(date), dateTime: short(dateTime), zone: short(timeZone) }
}

/** A working location is an event too, and no meeting. */
function takesTime(said: Fields, attendees: readonly Fields[]): boolean {
  if (said.transparency === 'transparent' || said.eventType === 'workingLocation') return false
  return !attendees.some(({ self, responseStatus }) => self === true && responseStatus === 'declined')
}

type Fields = ReturnType<typeof fieldsOf>

export function isCancelled(value: unknown): boolean {
  return fieldsOf(value).status === 'cancelled'
}

/** A page of a list. @returns undefined where it is none */
export function readPage(body: unknown): { items: readonly unknown[]; zone: string } | undefined {
  const { items = [] } = fieldsOf(body)
  return !Array.isArray(body) && Array.isArray(items) ? { items, zone: zoneOf(body) } : undefined
}

/** The zone that a calendar says it is in; UTC where it says none that is one. */
export function zoneOf(body: unknown): string {
  const zone = wholeTextOf(fieldsOf(body).timeZone, SHORT_LENGTH_MAX)
  return isTimeZone(zone) ? zone : 'UTC'
}

/** Where the next page begins; undefined at the end. */
export function nextPageOf(body: unknown): unknown {
  return fieldsOf(body).nextPageToken ?? undefined
}

const REASONS_MAX = 100

/** Every word with which an error is explained, in whichever of its forms. */
export function reasonsOf(body: unknown): string[] {
  const { errors, details } = fieldsOf(fieldsOf(body).error)
  return [...itemsOf(errors, REASONS_MAX), ...itemsOf(details, REASONS_MAX)].flatMap(
    (one) => identifierOf(fieldsOf(one).reason) ?? [],
  )
}

const DEFAULT_COLOR = '#4285f4'

/** @returns undefined where it has no id */
export function toCalendar(value: unknown): CalendarSummary | undefined {
  const { id: said, summary, summaryOverride, primary, backgroundColor } = fieldsOf(value)
  const id = identifierOf(said, CALENDAR_BOUNDS.id)
  if (id === undefined) return undefined
  const color = wholeTextOf(backgroundColor, SHORT_LENGTH_MAX).toLowerCase()
  return {
    id: primary === true ? 'primary' : id,
    name: textOf(summaryOverride ?? summary, CALENDAR_BOUNDS.title),
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
    title: event.title,
    start: start.text,
    end: end.text,
    allDay: event.start.dateTime === '',
    startTimezone: start.zone,
    endTimezone: end.zone,
    recurringEventId: event.recurringEventId,
    takesTime: event.takesTime,
    organizerEmail: event.organizer.email,
    attendees: event.attendees,
  }
}

/** @param id that was asked for. @returns undefined where it has no time that can be read */
export function toDetails(
  event: GoogleEvent,
  calendarZone: string,
  id: string,
): CalendarEventDetails | undefined {
  const known = toEvent(event, calendarZone)
  const { description, recurrence, organizer } = event
  return (
    known && {
      ...known,
      id,
      description,
      recurrence: recurrenceText(recurrence),
      organizerName: organizer.name,
    }
  )
}

/** An event without an end ends when it starts; one of whole days takes one day. */
function endOf(given: Moment, start: { text: string; zone: string }) {
  if (given.dateTime !== '') return start
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

const STATUSES = new Map<unknown, AttendeeStatus>([
  ['accepted', 'accepted'],
  ['declined', 'declined'],
  ['tentative', 'tentative'],
  ['needsAction', 'pending'],
])

/** Whether a time of the event is understood only with the zone of its calendar. */
export function needsCalendarZone({ start, end }: GoogleEvent): boolean {
  return [start, end].some(({ zone }) => !isTimeZone(zone))
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/

function toMoment(
  { date, dateTime, zone: named }: Moment,
  calendarZone: string,
): { text: string; zone: string } | undefined {
  const zone = isTimeZone(named) ? named : calendarZone
  // with its offset as the vendor has it
  if (dateTime !== '' && !LOCAL.test(dateTime)) return timeOf(dateTime) && { text: dateTime, zone }
  const local = dateTime || `${date}T00:00:00`
  return timeOf(`${local}Z`) && { text: zonedText(momentOf(local, zone), zone), zone }
}

/** The rule first, then what is added to and left out of it. */
function recurrenceText(lines: readonly string[]): string {
  const isRule = (line: string) => line.startsWith('RRULE')
  return [...lines.filter(isRule), ...lines.filter((line) => !isRule(line))].join('\n')
}
