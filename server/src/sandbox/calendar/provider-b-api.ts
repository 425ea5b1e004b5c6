import { calendarsFor, PRIMARY, type SeedCalendar, type SeedEvent } from './believable-week.ts'
import { findOccurrence, firstOf, type Occurrence, occurrencesBetween } from './occurrences.ts'
import type { ApiReply } from './provider-a-api.ts'

/** Answers as provider B's calendar API gives them: opaque ids, Windows zone names, times in UTC, links to pages. */

const PAGE_DEFAULT = 10
const PAGE_MAX = 1_000
/** As the vendor names them. */
const WINDOWS_ZONES: Record<string, string> = {
  'Europe/Berlin': 'W. Europe Standard Time',
  'Europe/London': 'GMT Standard Time',
  'America/New_York': 'Eastern Standard Time',
  UTC: 'UTC',
}
const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** @param base address of the API, for links to further pages */
export function answerAsProviderB(
  email: string | undefined,
  path: string,
  query: URLSearchParams,
  base: string,
): ApiReply {
  if (email === undefined)
    return fault(401, 'InvalidAuthenticationToken', 'Access token is empty or expired.')
  const calendars = calendarsFor(email)
  if (path === '/me/calendars') return { status: 200, body: { value: calendars.map(toCalendar) } }
  const [, ownView, id = '', rest = ''] =
    /^\/me(?:(\/calendar)|\/calendars\/([^/]+))?(\/(?:calendarView|events\/[^/]+))$/.exec(path) ?? []
  const wanted = ownView || id === '' ? opaque(PRIMARY) : decodeURIComponent(id)
  const calendar = calendars.find((candidate) => opaque(candidate.id) === wanted)
  if (!calendar || rest === '')
    return fault(404, 'ErrorItemNotFound', 'The object was not found in the store.')
  if (rest === '/calendarView') return calendarView(email, calendar, query, `${base}${path}`)
  const eventId = decodeURIComponent(rest.slice('/events/'.length))
  const event = oneEvent(email, calendar, eventId)
  return event
    ? { status: 200, body: event }
    : fault(404, 'ErrorItemNotFound', 'The object was not found in the store.')
}

function toCalendar({ id, name, color }: SeedCalendar): object {
  const primary = id === PRIMARY
  return {
    id: opaque(id),
    name: primary ? 'Calendar' : name,
    color: primary ? 'auto' : 'lightGreen',
    hexColor: primary ? '' : color,
    isDefaultCalendar: primary,
    canEdit: primary,
  }
}

function calendarView(
  email: string,
  calendar: SeedCalendar,
  query: URLSearchParams,
  address: string,
): ApiReply {
  const [from, to] = ['startDateTime', 'endDateTime'].map((name) => new Date(query.get(name) ?? ''))
  if (!from || !to || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()))
    return fault(400, 'ErrorInvalidParameter', 'This request requires a time window.')
  const size = Math.min(Number(query.get('$top') ?? PAGE_DEFAULT), PAGE_MAX)
  const begin = Number(query.get('$skip') ?? 0)
  const all = occurrencesBetween(calendar, from, to)
  const next = new URLSearchParams(query)
  next.set('$skip', String(begin + size))
  return {
    status: 200,
    body: {
      value: all.slice(begin, begin + size).map((occurrence) => toInstance(email, occurrence)),
      ...(begin + size < all.length ? { '@odata.nextLink': `${address}?${next}` } : {}),
    },
  }
}

function oneEvent(email: string, calendar: SeedCalendar, id: string): object | undefined {
  const master = calendar.events.find((event) => event.kind === 'series' && opaque(event.id) === id)
  if (master) {
    const {
      seriesMasterId: _none,
      originalStart: _either,
      ...first
    } = toInstance(email, firstOf(master)) as Record<string, unknown>
    return { ...first, id, type: 'seriesMaster', recurrence: recurrenceOf(master) }
  }
  const occurrence = findOccurrence(calendar, clear(id))
  return occurrence && toInstance(email, occurrence)
}

function toInstance(email: string, occurrence: Occurrence): object {
  const { event, id, planned, start, end, zone, day, moved } = occurrence
  const isWhole = event.at === undefined
  const windows = WINDOWS_ZONES[zone] ?? 'UTC'
  const at = (moment: Date) => ({ dateTime: `${moment.toISOString().slice(0, 19)}.0000000`, timeZone: 'UTC' })
  const midnight = (text: string) => ({ dateTime: `${text}T00:00:00.0000000`, timeZone: 'UTC' })
  const nextDay = new Date(Date.parse(`${day}T00:00:00Z`) + event.minutes * 60_000).toISOString().slice(0, 10)
  return {
    '@odata.etag': 'W/"0"',
    id: opaque(id),
    subject: event.title,
    bodyPreview: event.description.slice(0, 255),
    body: { contentType: 'text', content: event.description },
    isAllDay: isWhole,
    isCancelled: false,
    type: event.kind === 'single' ? 'singleInstance' : moved ? 'exception' : 'occurrence',
    ...(event.kind === 'single'
      ? { seriesMasterId: null }
      : { seriesMasterId: opaque(event.id), originalStart: planned.toISOString().replace('.000', '') }),
    originalStartTimeZone: windows,
    originalEndTimeZone: windows,
    start: isWhole ? midnight(day) : at(start),
    end: isWhole ? midnight(nextDay) : at(end),
    organizer: { emailAddress: { name: event.organizer.name, address: event.organizer.email } },
    attendees: attendeesOf(email, event),
    recurrence: null,
  }
}

function attendeesOf(email: string, event: SeedEvent): object[] {
  const words = {
    accepted: 'accepted',
    declined: 'declined',
    tentative: 'tentativelyAccepted',
    pending: 'notResponded',
  }
  const entry = (address: string, name: string, response: string) => ({
    type: 'required',
    status: { response, time: '0001-01-01T00:00:00Z' },
    emailAddress: { name, address },
  })
  return [
    entry(email, email, 'accepted'),
    ...event.attendees.map((one) => entry(one.email, one.name, words[one.response])),
  ]
}

function recurrenceOf(event: SeedEvent): object {
  return {
    pattern: {
      type: 'weekly',
      interval: event.everyWeeks ?? 1,
      month: 0,
      dayOfMonth: 0,
      daysOfWeek: event.days.map((day) => DAY_NAMES[day]),
      firstDayOfWeek: 'monday',
      index: 'first',
    },
    range: {
      type: 'noEnd',
      startDate: '2024-01-01',
      endDate: '0001-01-01',
      recurrenceTimeZone: WINDOWS_ZONES[event.zone] ?? 'UTC',
      numberOfOccurrences: 0,
    },
  }
}

/** Ids of this vendor say nothing to a reader. */
function opaque(id: string): string {
  return `AAMk${Buffer.from(id).toString('base64url')}=`
}

function clear(id: string): string {
  return Buffer.from(id.replace(/^AAMk|=$/g, ''), 'base64url').toString()
}

function fault(status: number, code: string, message: string): ApiReply {
  return { status, body: { error: { code, message, innerError: { date: '2026-01-01T00:00:00' } } } }
}
