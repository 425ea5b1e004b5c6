import { delegatedAccess } from '../../platform/outside/delegated-access.ts'
import type { IssuerNeeds, IssuerRegistration } from '../../platform/outside/known-issuers.ts'
import { leaveOut } from '../../platform/outside/left-out.ts'
import { apiAddress, pathSegment } from '../../platform/outside/outside-address.ts'
import { fieldsOf } from '../../platform/outside/outside-fields.ts'
import {
  type Allowance,
  allowance,
  type JsonAnswer,
  outsideJson,
} from '../../platform/outside/outside-json.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type {
  CalendarAnswer,
  CalendarEvent,
  CalendarEventDetails,
  CalendarPort,
  CalendarSummary,
} from '../../ports/calendar.ts'
import {
  idByDay,
  isCancelled,
  mayNameDay,
  needsCalendarZone,
  nextPageOf,
  readEvent,
  readPage,
  reasonsOf,
  toCalendar,
  toDetails,
  toEvent,
  zoneOf,
} from './wire.ts'

export interface GoogleCalendarNeeds extends IssuerNeeds {
  registration: IssuerRegistration
  /** Of the Calendar API. */
  apiUrl: string
}

const PROVIDER = 'google calendar'
const SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
/** One that allows more allows this too. */
const PERMISSIONS = [SCOPE, 'https://www.googleapis.com/auth/calendar']
const PAGE_EVENTS = 500
const PAGE_CALENDARS = 250
/** No honest answer has as many pages; one that leads in circles has. */
const PAGES_MAX = 400
const EVENT_FIELDS =
  'id,status,summary,start,end,recurringEventId,transparency,eventType,organizer(email,displayName),attendees(email,self,responseStatus)'
const OUT_OF_BREATH = ['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']
const CONSENT_LACKS = ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']
const NOT_THEIRS = ['forbidden', 'requiredAccessLevel', 'forbiddenForNonOrganizer']
/** Of our registration: nothing that consenting again would mend. */
const OURS = ['accessNotConfigured', 'SERVICE_DISABLED', 'quotaExceeded', 'dailyLimitExceeded']

interface Ask {
  token: string
  allowed: Allowance
}

/** What the API answers, by a path within it. */
type Get = (path: string, query: Record<string, string>, ask: Ask) => Promise<JsonAnswer>

/** Calendars at Google: Calendar API v3. */
export function googleCalendar({ registration, apiUrl, ...issuerNeeds }: GoogleCalendarNeeds): CalendarPort {
  const access = delegatedAccess({
    ...issuerNeeds,
    registration,
    provider: PROVIDER,
    permissions: PERMISSIONS,
  })
  const base = apiAddress(apiUrl, '/calendar/v3')
  const read = outsideJson({
    fetch: issuerNeeds.fetch,
    provider: PROVIDER,
    asksForPatience: ({ status, body }) => status === 403 && says(body, OUT_OF_BREATH),
  })
  const get: Get = (path, query, { token, allowed }) => {
    const url = new URL(`${base}${path}`)
    url.search = new URLSearchParams(query).toString()
    return read({ url, accessToken: token, allowance: allowed })
  }
  return {
    consentUrl: ({ state, codeChallenge, redirectUri }) =>
      access.authorizationUrl({
        scope: SCOPE,
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        // without both, a second consent brings no refresh token
        access_type: 'offline',
        prompt: 'consent',
      }),
    redeemCode: (answer) => access.redeem(answer),
    refresh: (refreshToken) => access.refresh(refreshToken),
    revoke: (refreshToken) => access.revoke(refreshToken),

    listCalendars: (token) => listCalendars(get, token),
    listEvents: (token, span) => listEvents(get, token, span),
    readEvent: (token, event) => readOne(get, token, event),
  }
}

async function listCalendars(get: Get, token: string): Promise<CalendarAnswer<CalendarSummary[]>> {
  const allowed = allowance()
  const pages = await readPages(undefined, (pageToken) =>
    get('/users/me/calendarList', { maxResults: `${PAGE_CALENDARS}`, ...pageToken }, { token, allowed }),
  )
  if (pages.kind !== 'answered') return pages
  const items = itemsOn(pages.value).filter((item) => fieldsOf(item).deleted !== true)
  const value = items.flatMap((item) => toCalendar(item) ?? [])
  if (value.length === 0 && items.length > 0) throw unreadable()
  leaveOut({ provider: PROVIDER, part: 'calendar', count: items.length - value.length })
  return { kind: 'answered', value }
}

async function listEvents(
  get: Get,
  token: string,
  { calendarId, from, to }: { calendarId: string; from: Date; to: Date },
): Promise<CalendarAnswer<CalendarEvent[]>> {
  const segment = pathSegment(calendarId)
  if (!segment) return { kind: 'not-found' }
  const allowed = allowance()
  const query = {
    singleEvents: 'true',
    orderBy: 'startTime',
    timeMin: from.toISOString(),
    timeMax: to.toISOString(),
    maxResults: `${PAGE_EVENTS}`,
    fields: `timeZone,nextPageToken,items(${EVENT_FIELDS})`,
  }
  const pages = await readPages(calendarId, (pageToken) =>
    get(`/calendars/${segment}/events`, { ...query, ...pageToken }, { token, allowed }),
  )
  return pages.kind === 'answered' ? { kind: 'answered', value: toEvents(pages.value) } : pages
}

async function readOne(
  get: Get,
  token: string,
  { calendarId, eventId }: { calendarId: string; eventId: string },
): Promise<CalendarAnswer<CalendarEventDetails>> {
  const calendar = pathSegment(calendarId)
  if (!calendar) return { kind: 'not-found' }
  const ask = { token, allowed: allowance() }
  const answer = await findEvent(get, calendar, eventId, ask)
  const refusal = answer ? refusalOf(answer, calendarId) : ({ kind: 'not-found' } as const)
  if (refusal) return refusal
  if (isCancelled(answer?.body)) return { kind: 'not-found' }
  const found = readEvent(answer?.body)
  if (!found) throw unreadable()
  const zone = needsCalendarZone(found) ? await askZone(get, calendar, ask) : 'UTC'
  const value = toDetails(found, zone, eventId)
  if (value) return { kind: 'answered', value }
  leaveOut({ provider: PROVIDER, part: 'event', count: 1 })
  return { kind: 'not-found' }
}

/** Undefined where the id can be none. */
async function findEvent(get: Get, calendar: string, id: string, by: Ask): Promise<JsonAnswer | undefined> {
  const ask = async (name: string | undefined) => {
    const event = name && pathSegment(name)
    return event && (await get(`/calendars/${calendar}/events/${event}`, {}, by))
  }
  const answer = await ask(id)
  if (!answer || ![404, 410].includes(answer.status) || !mayNameDay(id)) return answer || undefined
  return (await ask(idByDay(id, await askZone(get, calendar, by)))) || answer
}

async function askZone(get: Get, calendar: string, by: Ask): Promise<string> {
  const { status, body } = await get(`/calendars/${calendar}`, { fields: 'timeZone' }, by)
  return status === 200 ? zoneOf(body) : 'UTC'
}

type PageToken = Record<string, never> | { pageToken: string }

/** All pages. Where the vendor has forgotten where we were (410), once more from the first. */
async function readPages(
  calendarId: string | undefined,
  ask: (pageToken: PageToken) => Promise<JsonAnswer>,
): Promise<CalendarAnswer<unknown[]>> {
  let pages: unknown[] = []
  let token: string | undefined
  let again = false
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const answer = await ask(token === undefined ? {} : { pageToken: token })
    if (answer.status === 410 && token !== undefined && !again) {
      ;[pages, token, again] = [[], undefined, true]
      continue
    }
    const refusal = refusalOf(answer, calendarId)
    if (refusal) return refusal
    pages.push(answer.body)
    const nextPageToken = nextPageOf(answer.body)
    if (nextPageToken === undefined) return { kind: 'answered', value: pages }
    if (typeof nextPageToken !== 'string' || nextPageToken === token) throw unreadable()
    token = nextPageToken
  }
  throw unreadable()
}

function itemsOn(pages: readonly unknown[]): unknown[] {
  return pages.flatMap((body) => {
    const page = readPage(body)
    if (!page) throw unreadable()
    return page.items
  })
}

function toEvents(pages: readonly unknown[]): CalendarEvent[] {
  let count = 0
  const events: CalendarEvent[] = []
  for (const body of pages) {
    const page = readPage(body)
    if (!page) throw unreadable()
    for (const item of page.items) {
      if (isCancelled(item)) continue
      const said = readEvent(item)
      const event = said && toEvent(said, page.zone)
      if (event) events.push(event)
      else count += 1
    }
  }
  leaveOut({ provider: PROVIDER, part: 'event', count })
  return events
}

/**
 * What an answer refuses, with 403 by the calendar that was asked of: the person's own calendars are closed to us only
 * where the consent does not reach; another one may be another person's.
 * @returns undefined where it is an answer
 * @throws ProviderFailure where it says nothing about the question
 */
function refusalOf(
  { status, body }: JsonAnswer,
  calendarId: string | undefined,
): Exclude<CalendarAnswer<never>, { value: never }> | undefined {
  if (status === 200 && typeof body === 'object' && body !== null) return undefined
  if (status === 401) return { kind: 'token-refused' }
  if (status === 404 || status === 410) return { kind: 'not-found' }
  if (status === 403 && !says(body, [...OURS, ...OUT_OF_BREATH])) {
    const isForeign = calendarId !== undefined && (calendarId !== 'primary' || says(body, NOT_THEIRS))
    return { kind: isForeign && !says(body, CONSENT_LACKS) ? 'not-found' : 'consent-missing' }
  }
  const cause = new Error(`it answered ${status} ${reasonsOf(body).join(' ').slice(0, 100)}`)
  throw new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}

function says(body: unknown, words: readonly string[]): boolean {
  return reasonsOf(body).some((reason) => words.includes(reason))
}

function unreadable(): ProviderFailure {
  const cause = new Error('its answer has another form than expected')
  return new ProviderFailure(PROVIDER, 'read', { retryable: false, cause })
}
