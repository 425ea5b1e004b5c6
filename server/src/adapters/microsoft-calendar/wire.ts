import {
  fieldsOf,
  identifierOf,
  itemsOf,
  textOf,
  timeOf,
  wholeTextOf,
} from '../../platform/outside/outside-fields.ts'
import { compactUtc, momentOf, nextMidnight, zonedText } from '../../platform/zoned-time.ts'
import {
  type AttendeeStatus,
  CALENDAR_BOUNDS,
  type CalendarEvent,
  type CalendarEventDetails,
  type CalendarSummary,
} from '../../ports/calendar.ts'
import { type Recurrence, readRecurrence, toRule } from './recurrence.ts'
import { zoneOfWindows } from './windows-zones.ts'

/** What an answer of Microsoft Graph says, read part by part: one part that is odd, or null, hides no other. */

/** As the vendor writes it; `""` for what is not said. */
interface Moment {
  dateTime: string
  zone: string
}

export interface GraphEvent {
  id: string
  title: string
  description: string
  seriesMasterId: string
  /** When an instance was planned for. */
  plannedFor: Date | undefined
  /** The zones that it was planned in. */
  plannedIn: { start: string; end: string }
  start: Moment
  end: Moment
  allDay: boolean
  takesTime: boolean
  organizer: { email: string; name: string }
  attendees: { email: string; status: AttendeeStatus }[]
  recurrence: Recurrence | undefined
}

/** @returns undefined where it has no id */
export function readEvent(value: unknown): GraphEvent | undefined {
  const said = fieldsOf(value)
  const id = identifierOf(said.id, CALENDAR_BOUNDS.id)
  if (id === undefined) return undefined
  const zones = { start: short(said.originalStartTimeZone), end: short(said.originalEndTimeZone) }
  return {
    id,
    title: textOf(said.subject, CALENDAR_BOUNDS.title),
    description: textOf(fieldsOf(said.body).content ?? said.bodyPreview, CALENDAR_BOUNDS.description),
    seriesMasterId: identifierOf(said.seriesMasterId, CALENDAR_BOUNDS.id) ?? '',
    plannedFor: timeOf(said.originalStart),
    plannedIn: { start: zones.start, end: zones.end || zones.start },
    start: readMoment(said.start),
    end: readMoment(said.end),
    allDay: said.isAllDay === true,
    takesTime: !FREE.includes(short(said.showAs)) && fieldsOf(said.responseStatus).response !== 'declined',
    organizer: readAddress(said.organizer),
    attendees: itemsOf(said.attendees, CALENDAR_BOUNDS.attendees).flatMap(readAttendee),
    recurrence: readRecurrence(said.recurrence),
  }
}

/** Longer than any name of a zone, and than any time of day. */
const SHORT_LENGTH_MAX = 64

function short(text: unknown): string {
  return wholeTextOf(text, SHORT_LENGTH_MAX)
}

function readMoment(value: unknown): Moment {
  const { dateTime, timeZone } = fieldsOf(value)
  return { dateTime: short(dateTime), zone: short(timeZone) }
}

function readAddress(value: unknown): { email: string; name: string } {
  const { address, name } = fieldsOf(fieldsOf(value).emailAddress)
  return { email: wholeTextOf(address, CALENDAR_BOUNDS.email), name: textOf(name, CALENDAR_BOUNDS.name) }
}

function readAttendee(value: unknown): GraphEvent['attendees'] {
  const said = fieldsOf(value)
  if (Object.keys(said).length === 0) return []
  const status = STATUSES.get(fieldsOf(said.status).response) ?? 'pending'
  return [{ email: readAddress(said).email, status }]
}

export function isCancelled(value: unknown): boolean {
  return fieldsOf(value).isCancelled === true
}

/** What is on a page of a list. @returns undefined where it is none */
export function readPage(body: unknown): readonly unknown[] | undefined {
  const { value } = fieldsOf(body)
  return Array.isArray(value) ? value : undefined
}

/** Where the next page is; undefined at the end. */
export function nextLinkOf(body: unknown): unknown {
  return fieldsOf(body)['@odata.nextLink'] ?? undefined
}

/** The word with which an error is explained. */
export function faultCode(body: unknown): string {
  return identifierOf(fieldsOf(fieldsOf(body).error).code) ?? ''
}

/** Outlook's own choice of a colour has a name where it has no number. */
const COLORS = new Map([
  ['lightBlue', '#a6d1f5'],
  ['lightGreen', '#87d28e'],
  ['lightOrange', '#fcab73'],
  ['lightGray', '#c0c0c0'],
  ['lightYellow', '#f5d66b'],
  ['lightTeal', '#4adacc'],
  ['lightPink', '#ff9ecf'],
  ['lightBrown', '#bfa58a'],
  ['lightRed', '#f88c9b'],
])
const DEFAULT_COLOR = '#0078d4'

/** @returns undefined where it has no id */
export function toCalendar(value: unknown): CalendarSummary | undefined {
  const { id: said, name, color, hexColor, isDefaultCalendar } = fieldsOf(value)
  const id = identifierOf(said, CALENDAR_BOUNDS.id)
  if (id === undefined) return undefined
  const hex = short(hexColor).toLowerCase()
  return {
    id: isDefaultCalendar === true ? 'primary' : id,
    name: textOf(name, CALENDAR_BOUNDS.title),
    color: /^#[0-9a-f]{6}$/.test(hex) ? hex : (COLORS.get(short(color)) ?? DEFAULT_COLOR),
  }
}

/** @returns undefined where it has no time that can be read */
export function toEvent(event: GraphEvent): CalendarEvent | undefined {
  const start = toMoment(event.start, event.plannedIn.start, event.allDay)
  if (!start) return undefined
  const end = endOf(event, start)
  return {
    id: idOf(event, start.at),
    title: event.title,
    start: zonedText(start.at, start.zone),
    end: zonedText(end.at, end.zone),
    allDay: event.allDay,
    startTimezone: start.zone,
    endTimezone: end.zone,
    recurringEventId: event.seriesMasterId,
    takesTime: event.takesTime,
    organizerEmail: event.organizer.email,
    attendees: event.attendees,
  }
}

/** @param id that was asked for. @returns undefined where it has no time that can be read */
export function toDetails(event: GraphEvent, id: string): CalendarEventDetails | undefined {
  const found = toEvent(event)
  if (!found) return undefined
  const { description, recurrence, organizer } = event
  const rule = recurrence && toRule(recurrence, { zone: found.startTimezone, allDay: found.allDay })
  return { ...found, id, description, recurrence: rule ?? '', organizerName: organizer.name }
}

const FREE = ['free', 'workingElsewhere']

/** An event without an end ends when it starts; one of whole days takes one day. */
function endOf(event: GraphEvent, start: { at: Date; zone: string }) {
  const end = toMoment(event.end, event.plannedIn.end, event.allDay)
  if (end) return end
  return event.allDay ? { at: nextMidnight(start.at, start.zone), zone: start.zone } : start
}

const STATUSES = new Map<unknown, AttendeeStatus>([
  ['accepted', 'accepted'],
  ['organizer', 'accepted'],
  ['declined', 'declined'],
  ['tentativelyAccepted', 'tentative'],
])

/** An instance is called by its master and the time it was planned for, wherever it was moved. */
function idOf(event: GraphEvent, start: Date): string {
  if (!event.seriesMasterId) return event.id
  return `${event.seriesMasterId}_${compactUtc(event.plannedFor ?? start)}`
}

const INSTANCE = /^(.+)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** What an id of ours says of an instance; undefined where it is an id of Outlook's own. */
export function parseInstanceId(id: string): { master: string; plannedFor: Date } | undefined {
  const [, master, year, month, day, hour, minute, second] = INSTANCE.exec(id) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return master === undefined || Number.isNaN(at.getTime()) ? undefined : { master, plannedFor: at }
}

/** Whether an event is the one that is called so. */
export function isInstance(event: GraphEvent, id: { master: string; plannedFor: Date }): boolean {
  if (event.seriesMasterId !== id.master) return false
  const planned = event.plannedFor ?? toMoment(event.start, event.plannedIn.start, event.allDay)?.at
  return planned !== undefined && compactUtc(planned) === compactUtc(id.plannedFor)
}

const LOCAL = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** A time, and the zone that it was planned in: the answer may be in another one. */
function toMoment(
  { dateTime, zone: named }: Moment,
  planned: string,
  allDay: boolean,
): { at: Date; zone: string } | undefined {
  const [, local, , offset] = LOCAL.exec(dateTime) ?? []
  if (local === undefined || !timeOf(`${local}Z`)) return undefined
  const saidIn = zoneOfWindows(named) ?? 'UTC'
  const zone = zoneOfWindows(planned) ?? saidIn
  // whole days have no zone: midnight is midnight wherever one asks
  if (allDay && local.endsWith('T00:00:00')) return { at: momentOf(local, zone), zone }
  return { at: offset === undefined ? momentOf(local, saidIn) : new Date(`${local}${offset}`), zone }
}
