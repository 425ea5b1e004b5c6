import { zonedText } from '../../platform/zoned-time.ts'
import { calendarsFor, PRIMARY, type SeedCalendar, type SeedEvent } from './believable-week.ts'
import { findOccurrence, firstOf, type Occurrence, occurrencesBetween, ruleOf } from './occurrences.ts'

/** Answers as provider A's calendar API gives them: its fields, its errors, its pages. */

export interface ApiReply {
  status: number
  body: unknown
}

const PAGE_DEFAULT = 250
const PAGE_MAX = 2_500

export function answerAsProviderA(email: string | undefined, path: string, query: URLSearchParams): ApiReply {
  if (email === undefined) return fault(401, 'authError', 'Invalid Credentials', 'UNAUTHENTICATED')
  const calendars = calendarsFor(email)
  if (path === '/users/me/calendarList') return calendarList(email, calendars)
  const [, id = '', rest = ''] = /^\/calendars\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const calendar = findCalendar(calendars, email, decodeURIComponent(id))
  if (!calendar) return fault(404, 'notFound', 'Not Found', 'NOT_FOUND')
  if (rest === '')
    return { status: 200, body: { kind: 'calendar#calendar', id: calendar.id, timeZone: calendar.zone } }
  if (rest === '/events') return events(email, calendar, query)
  const [, eventId] = /^\/events\/([^/]+)$/.exec(rest) ?? []
  const event = eventId && oneEvent(email, calendar, decodeURIComponent(eventId))
  return event ? { status: 200, body: event } : fault(404, 'notFound', 'Not Found', 'NOT_FOUND')
}

function findCalendar(calendars: SeedCalendar[], email: string, id: string): SeedCalendar | undefined {
  return calendars.find((calendar) => calendar.id === (id === email ? PRIMARY : id))
}

function calendarList(email: string, calendars: SeedCalendar[]): ApiReply {
  const items = calendars.map(({ id, name, color, zone }) => ({
    kind: 'calendar#calendarListEntry',
    etag: '"0"',
    id: id === PRIMARY ? email : id,
    summary: name,
    timeZone: zone,
    colorId: '1',
    backgroundColor: color,
    foregroundColor: '#ffffff',
    selected: true,
    accessRole: id === PRIMARY ? 'owner' : 'reader',
    ...(id === PRIMARY ? { primary: true } : {}),
  }))
  return { status: 200, body: { kind: 'calendar#calendarList', etag: '"0"', items } }
}

function events(email: string, calendar: SeedCalendar, query: URLSearchParams): ApiReply {
  const [from, to] = [query.get('timeMin'), query.get('timeMax')].map((text) => new Date(text ?? ''))
  if (!from || !to || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || to <= from)
    return fault(400, 'timeRangeEmpty', 'The specified time range is empty.', 'INVALID_ARGUMENT')
  if (query.get('singleEvents') !== 'true')
    return fault(400, 'badRequest', 'The sandbox lists instances only', 'INVALID_ARGUMENT')
  const size = Math.min(Number(query.get('maxResults') ?? PAGE_DEFAULT), PAGE_MAX)
  const begin = Number(Buffer.from(query.get('pageToken') ?? '', 'base64url').toString() || 0)
  const all = occurrencesBetween(calendar, from, to)
  const items = all.slice(begin, begin + size).map((occurrence) => instance(email, calendar, occurrence))
  const following = begin + size
  return {
    status: 200,
    body: {
      kind: 'calendar#events',
      etag: '"0"',
      summary: calendar.name,
      timeZone: calendar.zone,
      accessRole: 'owner',
      ...(following < all.length
        ? { nextPageToken: Buffer.from(String(following)).toString('base64url') }
        : { nextSyncToken: 'none' }),
      items,
    },
  }
}

function oneEvent(email: string, calendar: SeedCalendar, id: string): object | undefined {
  const occurrence = findOccurrence(calendar, id)
  if (occurrence) return instance(email, calendar, occurrence)
  const master = calendar.events.find((event) => event.id === id && event.kind === 'series')
  if (!master) return undefined
  const {
    recurringEventId: _none,
    originalStartTime: _either,
    ...first
  } = instance(email, calendar, firstOf(master)) as Record<string, unknown>
  return { ...first, id, recurrence: [ruleOf(master)] }
}

function instance(email: string, calendar: SeedCalendar, occurrence: Occurrence): object {
  const { event, id, start, end, zone, planned, day } = occurrence
  const dayAfter = zonedText(end, zone).slice(0, 10)
  const isWhole = event.at === undefined
  // times in the zone of the calendar, beside the one that they are meant in: they need not be the same
  const timed = (at: Date) => ({ dateTime: zonedText(at, calendar.zone), timeZone: zone })
  const original = isWhole
    ? { date: day }
    : { dateTime: zonedText(planned, calendar.zone), timeZone: event.zone }
  return {
    kind: 'calendar#event',
    etag: '"0"',
    id,
    status: 'confirmed',
    htmlLink: 'https://calendar.example/event',
    created: '2023-12-01T09:00:00.000Z',
    updated: '2023-12-01T09:00:00.000Z',
    summary: event.title,
    ...(event.description ? { description: event.description } : {}),
    creator: { email: event.organizer.email },
    organizer: { email: event.organizer.email, displayName: event.organizer.name },
    start: isWhole ? { date: day } : timed(start),
    end: isWhole ? { date: dayAfter } : timed(end),
    ...(event.kind === 'series' ? { recurringEventId: event.id, originalStartTime: original } : {}),
    iCalUID: `${event.id}@sandbox`,
    sequence: 0,
    attendees: attendeesOf(email, event),
    reminders: { useDefault: true },
    eventType: 'default',
  }
}

function attendeesOf(email: string, event: SeedEvent): object[] {
  const words = { accepted: 'accepted', declined: 'declined', tentative: 'tentative', pending: 'needsAction' }
  const others = event.attendees.map(({ email: address, name, response }) => ({
    email: address,
    displayName: name,
    responseStatus: words[response],
  }))
  return [{ email, self: true, responseStatus: 'accepted' }, ...others]
}

function fault(code: number, reason: string, message: string, status: string): ApiReply {
  const errors = [{ message, domain: 'global', reason }]
  return { status: code, body: { error: { code, message, errors, status } } }
}
