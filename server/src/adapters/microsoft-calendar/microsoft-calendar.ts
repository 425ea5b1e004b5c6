import { DAY_MS } from '../../platform/clock.ts'
import { delegatedAccess } from '../../platform/outside/delegated-access.ts'
import type { IssuerNeeds, IssuerRegistration } from '../../platform/outside/known-issuers.ts'
import { leaveOut } from '../../platform/outside/left-out.ts'
import { apiAddress, pathSegment } from '../../platform/outside/outside-address.ts'
import { type JsonAnswer, outsideJson } from '../../platform/outside/outside-json.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { webAddress } from '../../platform/text/unicode.ts'
import type { CalendarAnswer, CalendarPort } from '../../ports/calendar.ts'
import {
  faultCode,
  type GraphEvent,
  isCancelled,
  isInstance,
  nextLinkOf,
  parseInstanceId,
  readEvent,
  readPage,
  toCalendar,
  toDetails,
  toEvent,
} from './wire.ts'

export interface MicrosoftCalendarNeeds extends IssuerNeeds {
  registration: IssuerRegistration
  /** Of Microsoft Graph. */
  apiUrl: string
}

const PROVIDER = 'microsoft graph'
const SCOPE = 'offline_access Calendars.Read'
/** A permission that allows more allows this too; the token reply may name the owner of the permission. */
const PERMISSIONS = ['calendars.read', 'calendars.readwrite'].flatMap((permission) => [
  permission,
  `https://graph.microsoft.com/${permission}`,
])
const ANSWER_WITHIN_MS = 20_000
const PAGE_EVENTS = 500
const PAGE_CALENDARS = 100
/** No honest answer has as many pages; one that leads in circles has. */
const PAGES_MAX = 1_100
/** How far from its planned time an instance is looked for: where it should be, then where it may have been moved. */
const LOOK_AROUND_DAYS = [1, 45]
const EVENT_FIELDS =
  'id,subject,type,seriesMasterId,originalStart,originalStartTimeZone,originalEndTimeZone,start,end,isAllDay,isCancelled,showAs,responseStatus,organizer,attendees'
/** Times in one zone that needs no table; the zone of the event itself is told beside them. */
const PREFER = { prefer: 'outlook.timezone="UTC", outlook.body-content-type="text"' }
const OUT_OF_BREATH = ['TooManyRequests', 'ApplicationThrottled', 'activityLimitReached', 'quotaLimitReached']
const NO_SUCH_ID = ['ErrorInvalidIdMalformed', 'ErrorInvalidId', 'ErrorItemNotFound']

/** Calendars at Microsoft: Graph v1.0. */
export function microsoftCalendar(needs: MicrosoftCalendarNeeds): CalendarPort {
  const { registration, apiUrl, ...issuerNeeds } = needs
  const access = delegatedAccess({
    ...issuerNeeds,
    registration,
    provider: PROVIDER,
    permissions: PERMISSIONS,
  })
  const base = apiAddress(apiUrl, '/v1.0')
  const read = outsideJson({
    fetch: issuerNeeds.fetch,
    provider: PROVIDER,
    asksForPatience: ({ status, body }) => status === 403 && OUT_OF_BREATH.includes(faultCode(body)),
  })
  const get = (url: URL, accessToken: string, deadline: AbortSignal) => {
    return read({ url, accessToken, deadline, headers: PREFER })
  }
  const pagesOf = (url: URL, token: string) => {
    const deadline = AbortSignal.timeout(ANSWER_WITHIN_MS)
    return readPages(url, base, (page) => get(page, token, deadline))
  }
  const eventsBetween = async (
    token: string,
    calendar: string,
    [from, to]: readonly [Date, Date],
    fields: Record<string, string>,
  ): Promise<CalendarAnswer<GraphEvent[]>> => {
    const url = new URL(`${base}${calendar}/calendarView`)
    const span = { startDateTime: from.toISOString(), endDateTime: to.toISOString() }
    url.search = new URLSearchParams({
      ...span,
      $orderby: 'start/dateTime',
      $top: `${PAGE_EVENTS}`,
      ...fields,
    }).toString()
    const pages = await pagesOf(url, token)
    if (pages.kind !== 'answered') return refused(pages, calendar)
    const items = itemsOn(pages.value).filter((item) => !isCancelled(item))
    const value = items.flatMap((item) => readEvent(item) ?? [])
    leaveOut({ provider: PROVIDER, part: 'event', count: items.length - value.length })
    return { kind: 'answered', value }
  }
  const findInstance = async (
    token: string,
    calendar: string,
    id: { master: string; plannedFor: Date },
  ): Promise<CalendarAnswer<GraphEvent>> => {
    for (const days of LOOK_AROUND_DAYS) {
      const [from, to] = [-days, days].map((by) => new Date(id.plannedFor.getTime() + by * DAY_MS))
      const found = await eventsBetween(token, calendar, [from as Date, to as Date], {})
      if (found.kind !== 'answered') return found
      const instance = found.value.find((event) => isInstance(event, id))
      if (instance) return { kind: 'answered', value: instance }
    }
    return { kind: 'not-found' }
  }
  const findEvent = async (
    token: string,
    calendarId: string,
    eventId: string,
  ): Promise<CalendarAnswer<GraphEvent>> => {
    const [calendar, event] = [calendarPath(calendarId), pathSegment(eventId)]
    if (!calendar || !event) return { kind: 'not-found' }
    const instance = parseInstanceId(eventId)
    if (instance) return await findInstance(token, calendar, instance)
    const within = calendarId === 'primary' ? '/me' : calendar
    const url = new URL(`${base}${within}/events/${event}`)
    const answer = await get(url, token, AbortSignal.timeout(ANSWER_WITHIN_MS))
    const refusal = refusalOf(answer)
    if (refusal) return refused(refusal, calendar)
    if (isCancelled(answer.body)) return { kind: 'not-found' }
    const found = readEvent(answer.body)
    if (!found) throw unreadable()
    return { kind: 'answered', value: found }
  }
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
      const url = new URL(`${base}/me/calendars`)
      url.search = new URLSearchParams({ $top: `${PAGE_CALENDARS}` }).toString()
      const pages = await pagesOf(url, token)
      if (pages.kind !== 'answered') return pages
      const items = itemsOn(pages.value)
      const value = items.flatMap((item) => toCalendar(item) ?? [])
      if (value.length === 0 && items.length > 0) throw unreadable()
      leaveOut({ provider: PROVIDER, part: 'calendar', count: items.length - value.length })
      return { kind: 'answered', value }
    },

    async listEvents(token, { calendarId, from, to }) {
      const calendar = calendarPath(calendarId)
      if (!calendar) return { kind: 'not-found' }
      const found = await eventsBetween(token, calendar, [from, to], { $select: EVENT_FIELDS })
      if (found.kind !== 'answered') return found
      const value = found.value.flatMap((event) => toEvent(event) ?? [])
      leaveOut({ provider: PROVIDER, part: 'event', count: found.value.length - value.length })
      return { kind: 'answered', value }
    },

    async readEvent(token, { calendarId, eventId }) {
      const found = await findEvent(token, calendarId, eventId)
      if (found.kind !== 'answered') return found
      const value = toDetails(found.value, eventId)
      if (value) return { kind: 'answered', value }
      leaveOut({ provider: PROVIDER, part: 'event', count: 1 })
      return { kind: 'not-found' }
    },
  }
}

function itemsOn(pages: readonly unknown[]): unknown[] {
  return pages.flatMap((body) => {
    const items = readPage(body)
    if (!items) throw unreadable()
    return items
  })
}

function calendarPath(calendarId: string): string | undefined {
  if (calendarId === 'primary') return '/me/calendar'
  const segment = pathSegment(calendarId)
  return segment && `/me/calendars/${segment}`
}

type Refused = Exclude<CalendarAnswer<never>, { value: never }>

/**
 * Every page. Their links are followed by path and query only, within the API that we know: the token goes nowhere
 * else. Where the vendor has forgotten where we were (410), once more from the first.
 */
async function readPages(
  first: URL,
  base: string,
  readPage: (url: URL) => Promise<JsonAnswer>,
): Promise<CalendarAnswer<unknown[]>> {
  let pages: unknown[] = []
  let [url, again] = [first, false]
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const answer = await readPage(url)
    if (answer.status === 410 && url !== first && !again) {
      ;[pages, url, again] = [[], first, true]
      continue
    }
    const refusal = refusalOf(answer)
    if (refusal) return refusal
    pages.push(answer.body)
    const link = nextLinkOf(answer.body)
    if (link === undefined) return { kind: 'answered', value: pages }
    const next = typeof link === 'string' ? webAddress(link) : undefined
    if (!next?.pathname.startsWith(`${new URL(base).pathname}/`)) throw unreadable()
    const following = new URL(next.pathname + next.search, base)
    if (following.href === url.href) throw unreadable()
    url = following
  }
  throw unreadable()
}

/** @returns undefined where it is an answer. @throws ProviderFailure where it says nothing about the question */
function refusalOf({ status, body }: JsonAnswer): Refused | undefined {
  if (status === 200 && typeof body === 'object' && body !== null) return undefined
  if (status === 401) return { kind: 'token-refused' }
  if (status === 404 || status === 410) return { kind: 'not-found' }
  if (status === 400 && NO_SUCH_ID.includes(faultCode(body))) return { kind: 'not-found' }
  if (status === 403) return { kind: 'consent-missing' }
  const cause = new Error(`it answered ${status} ${faultCode(body).slice(0, 100)}`)
  throw new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}

/** The person's own calendar is closed to us only without their consent; another one may be another person's. */
function refused(refusal: Refused, calendar: string): Refused {
  const foreign = refusal.kind === 'consent-missing' && calendar !== '/me/calendar'
  return foreign ? { kind: 'not-found' } : refusal
}

function unreadable(): ProviderFailure {
  const cause = new Error('its answer has another form than expected')
  return new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}
