import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { compactUtc, momentOf, nextMidnight, zonedText } from '../../platform/zoned-time.ts'
import type {
  AttendeeStatus,
  CalendarEvent,
  CalendarEventDetails,
  CalendarSummary,
} from '../../ports/calendar.ts'
import { Recurrence, toRule } from './recurrence.ts'
import { zoneOfWindows } from './windows-zones.ts'

/** The parts of Microsoft Graph that we read; it says `null` where it says nothing. Checked before it is believed. */

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))

const Moment = Type.Object({ dateTime: Type.String(), timeZone: Type.String() })
const Address = Type.Optional(Type.Union([Type.Object({ name: text, address: text }), Type.Null()]))
const Organizer = Type.Optional(Type.Union([Type.Object({ emailAddress: Address }), Type.Null()]))
const Response = Type.Optional(Type.Union([Type.Object({ response: text }), Type.Null()]))
const Attendee = Type.Object({ emailAddress: Address, status: Response })

const Event = Type.Object({
  id: Type.String({ minLength: 1 }),
  subject: text,
  type: text,
  seriesMasterId: text,
  originalStart: text,
  originalStartTimeZone: text,
  originalEndTimeZone: text,
  start: Moment,
  end: Type.Optional(Type.Union([Moment, Type.Null()])),
  isAllDay: flag,
  isCancelled: flag,
  showAs: text,
  responseStatus: Response,
  organizer: Organizer,
  attendees: Type.Optional(Type.Union([Type.Array(Attendee), Type.Null()])),
  body: Type.Optional(Type.Union([Type.Object({ content: text }), Type.Null()])),
  bodyPreview: text,
  recurrence: Type.Optional(Type.Union([Recurrence, Type.Null()])),
})
export type GraphEvent = Static<typeof Event>

const Calendar = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: text,
  color: text,
  hexColor: text,
  isDefaultCalendar: flag,
})
export type GraphCalendar = Static<typeof Calendar>

export const isEvent = Compile(Event)
export const isEventPage = Compile(Type.Object({ value: Type.Array(Event) }))
export const isCalendarPage = Compile(Type.Object({ value: Type.Array(Calendar) }))
const isFault = Compile(Type.Object({ error: Type.Object({ code: Type.String() }) }))

/** The word with which an error is explained. */
export function faultCode(body: unknown): string {
  return isFault.Check(body) ? body.error.code : ''
}

/** Outlook's own choice of a colour has a name where it has no number. */
const COLORS: Record<string, string> = {
  lightBlue: '#a6d1f5',
  lightGreen: '#87d28e',
  lightOrange: '#fcab73',
  lightGray: '#c0c0c0',
  lightYellow: '#f5d66b',
  lightTeal: '#4adacc',
  lightPink: '#ff9ecf',
  lightBrown: '#bfa58a',
  lightRed: '#f88c9b',
}
const DEFAULT_COLOR = '#0078d4'

export function toCalendar({ id, name, color, hexColor, isDefaultCalendar }: GraphCalendar): CalendarSummary {
  const hex = hexColor?.toLowerCase() ?? ''
  return {
    id: isDefaultCalendar ? 'primary' : id,
    name: name ?? '',
    color: /^#[0-9a-f]{6}$/.test(hex) ? hex : (COLORS[color ?? ''] ?? DEFAULT_COLOR),
  }
}

/** @returns undefined where it has no time that can be read */
export function toEvent(event: GraphEvent): CalendarEvent | undefined {
  const allDay = event.isAllDay === true
  const start = toMoment(event.start, event.originalStartTimeZone, allDay)
  if (!start) return undefined
  const end = endOf(event, start, allDay)
  return {
    id: idOf(event, start.at),
    title: event.subject ?? '',
    start: zonedText(start.at, start.zone),
    end: zonedText(end.at, end.zone),
    allDay,
    startTimezone: start.zone,
    endTimezone: end.zone,
    recurringEventId: event.seriesMasterId ?? '',
    takesTime: !FREE.includes(event.showAs ?? '') && event.responseStatus?.response !== 'declined',
    organizerEmail: event.organizer?.emailAddress?.address ?? '',
    attendees: (event.attendees ?? []).map(({ emailAddress, status }) => ({
      email: emailAddress?.address ?? '',
      status: STATUSES[status?.response ?? ''] ?? 'pending',
    })),
  }
}

export function toDetails(event: GraphEvent, id: string): CalendarEventDetails | undefined {
  const found = toEvent(event)
  if (!found) return undefined
  const rule =
    event.recurrence && toRule(event.recurrence, { zone: found.startTimezone, allDay: found.allDay })
  return {
    ...found,
    id,
    description: event.body?.content ?? event.bodyPreview ?? '',
    recurrence: rule ?? '',
    organizerName: event.organizer?.emailAddress?.name ?? '',
  }
}

const FREE = ['free', 'workingElsewhere']

/** An event without an end ends when it starts; one of whole days takes one day. */
function endOf(event: GraphEvent, start: { at: Date; zone: string }, allDay: boolean) {
  const zone = event.originalEndTimeZone ?? event.originalStartTimeZone
  const end = event.end ? toMoment(event.end, zone, allDay) : undefined
  if (end) return end
  return allDay ? { at: nextMidnight(start.at, start.zone), zone: start.zone } : start
}

const STATUSES: Record<string, AttendeeStatus> = {
  accepted: 'accepted',
  organizer: 'accepted',
  declined: 'declined',
  tentativelyAccepted: 'tentative',
}

/** An instance is called by its master and the time it was planned for, wherever it was moved. */
function idOf(event: GraphEvent, start: Date): string {
  if (!event.seriesMasterId) return event.id
  return `${event.seriesMasterId}_${compactUtc(plannedFor(event) ?? start)}`
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
  const planned = plannedFor(event) ?? toMoment(event.start, event.originalStartTimeZone, event.isAllDay)?.at
  return planned !== undefined && compactUtc(planned) === compactUtc(id.plannedFor)
}

function plannedFor({ originalStart }: GraphEvent): Date | undefined {
  const at = new Date(originalStart ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}

const LOCAL = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** A time, and the zone that it was planned in: the answer may be in another one. */
function toMoment(
  { dateTime, timeZone }: GraphEvent['start'],
  planned: string | null | undefined,
  allDay: boolean | null | undefined,
): { at: Date; zone: string } | undefined {
  const [, local, , offset] = LOCAL.exec(dateTime) ?? []
  const saidIn = zoneOfWindows(timeZone) ?? 'UTC'
  const zone = zoneOfWindows(planned ?? '') ?? saidIn
  if (local === undefined || Number.isNaN(Date.parse(`${local}Z`))) return undefined
  // whole days have no zone: midnight is midnight wherever one asks
  if (allDay && local.endsWith('T00:00:00')) return { at: momentOf(local, zone), zone }
  return { at: offset === undefined ? momentOf(local, saidIn) : new Date(`${local}${offset}`), zone }
}
