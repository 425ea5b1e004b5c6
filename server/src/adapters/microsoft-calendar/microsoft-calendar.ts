import { DAY_MS } from '../../platform/clock.ts'
import { delegatedAccess } from '../../platform/outside/delegated-access.ts'
import type { IssuerNeeds, IssuerRegistration } from '../../platform/outside/known-issuers.ts'
import { leaveOut } from '../../platform/outside/left-out.ts'
import { pathSegment } from '../../platform/outside/outside-address.ts'
import type { CalendarAnswer, CalendarPort } from '../../ports/calendar.ts'
import {
  type Graph,
  microsoftGraph,
  PROVIDER,
  type Refused,
  readAll,
  refusalOf,
  unreadable,
} from './graph.ts'
import {
  type GraphEvent,
  isCancelled,
  isInstance,
  parseInstanceId,
  readEvent,
  toCalendar,
  toDetails,
  toEvent,
} from './wire.ts'

export interface MicrosoftCalendarNeeds extends IssuerNeeds {
  registration: IssuerRegistration
  /** Of Microsoft Graph. */
  apiUrl: string
}

const SCOPE = 'offline_access Calendars.Read'
/** A permission that allows more allows this too; the token reply may name the owner of the permission. */
const PERMISSIONS = ['calendars.read', 'calendars.readwrite'].flatMap((permission) => [
  permission,
  `https://graph.microsoft.com/${permission}`,
])
const PAGE_EVENTS = 500
const PAGE_CALENDARS = 100
/** How far from its planned time an instance is looked for: where it should be, then where it may have been moved. */
const LOOK_AROUND_DAYS = [1, 45]
const EVENT_FIELDS =
  'id,subject,type,seriesMasterId,originalStart,originalStartTimeZone,originalEndTimeZone,start,end,isAllDay,isCancelled,showAs,responseStatus,organizer,attendees'

/** Calendars at Microsoft: Graph v1.0. */
export function microsoftCalendar(needs: MicrosoftCalendarNeeds): CalendarPort {
  const { registration, apiUrl, ...issuerNeeds } = needs
  const access = delegatedAccess({
    ...issuerNeeds,
    registration,
    provider: PROVIDER,
    permissions: PERMISSIONS,
  })
  const graph = microsoftGraph({ apiUrl, fetch: issuerNeeds.fetch })
  return {
    consentUrl: ({ state, codeChallenge, redirectUri }) =>
      access.authorizationUrl({
        scope: SCOPE,
        redirect_uri: redirectUri,
        response_mode: 'query',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }),
    redeemCode: (answer) => access.redeem(answer),
    refresh: (refreshToken) => access.refresh(refreshToken),
    revoke: (refreshToken) => access.revoke(refreshToken),

    async listCalendars(token) {
      const items = await graph.list('/me/calendars', { $top: `${PAGE_CALENDARS}` }, token)
      if (items.kind !== 'answered') return items
      const value = readAll('calendar', items.value, toCalendar)
      if (value.length === 0 && items.value.length > 0) throw unreadable()
      return { kind: 'answered', value }
    },

    async listEvents(token, { calendarId, from, to }) {
      const calendar = calendarPath(calendarId)
      if (!calendar) return { kind: 'not-found' }
      const found = await eventsBetween(graph, token, { calendar, from, to }, { $select: EVENT_FIELDS })
      if (found.kind !== 'answered') return found
      return { kind: 'answered', value: readAll('event', found.value, toEvent) }
    },

    async readEvent(token, { calendarId, eventId }) {
      const found = await findEvent(graph, token, { calendarId, eventId })
      if (found.kind !== 'answered') return found
      const value = toDetails(found.value, eventId)
      if (value) return { kind: 'answered', value }
      leaveOut({ provider: PROVIDER, part: 'event', count: 1 })
      return { kind: 'not-found' }
    },
  }
}

async function eventsBetween(
  graph: Graph,
  token: string,
  { calendar, from, to }: { calendar: string; from: Date; to: Date },
  fields: Record<string, string>,
): Promise<CalendarAnswer<GraphEvent[]>> {
  const span = { startDateTime: from.toISOString(), endDateTime: to.toISOString() }
  const query = { ...span, $orderby: 'start/dateTime', $top: `${PAGE_EVENTS}`, ...fields }
  const items = await graph.list(`${calendar}/calendarView`, query, token)
  if (items.kind !== 'answered') return refused(items, calendar)
  const held = items.value.filter((item) => !isCancelled(item))
  return { kind: 'answered', value: readAll('event', held, readEvent) }
}

async function findEvent(
  graph: Graph,
  token: string,
  { calendarId, eventId }: { calendarId: string; eventId: string },
): Promise<CalendarAnswer<GraphEvent>> {
  const [calendar, event] = [calendarPath(calendarId), pathSegment(eventId)]
  if (!calendar || !event) return { kind: 'not-found' }
  const instance = parseInstanceId(eventId)
  if (instance) return await findInstance(graph, token, calendar, instance)
  const within = calendarId === 'primary' ? '/me' : calendar
  const answer = await graph.get(`${within}/events/${event}`, token)
  const refusal = refusalOf(answer)
  if (refusal) return refused(refusal, calendar)
  if (isCancelled(answer.body)) return { kind: 'not-found' }
  const found = readEvent(answer.body)
  if (!found) throw unreadable()
  return { kind: 'answered', value: found }
}

async function findInstance(
  graph: Graph,
  token: string,
  calendar: string,
  id: { master: string; plannedFor: Date },
): Promise<CalendarAnswer<GraphEvent>> {
  const by = (days: number) => new Date(id.plannedFor.getTime() + days * DAY_MS)
  for (const days of LOOK_AROUND_DAYS) {
    const found = await eventsBetween(graph, token, { calendar, from: by(-days), to: by(days) }, {})
    if (found.kind !== 'answered') return found
    const instance = found.value.find((event) => isInstance(event, id))
    if (instance) return { kind: 'answered', value: instance }
  }
  return { kind: 'not-found' }
}

function calendarPath(calendarId: string): string | undefined {
  if (calendarId === 'primary') return '/me/calendar'
  const segment = pathSegment(calendarId)
  return segment && `/me/calendars/${segment}`
}

/** The person's own calendar is closed to us only without their consent; another one may be another person's. */
function refused(refusal: Refused, calendar: string): Refused {
  const foreign = refusal.kind === 'consent-missing' && calendar !== '/me/calendar'
  return foreign ? { kind: 'not-found' } : refusal
}
