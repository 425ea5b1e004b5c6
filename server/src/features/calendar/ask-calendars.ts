import type { Input, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../access/caller.ts'
import { ProviderFailure, Refusal } from '../../platform/refusal.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import type { CalendarEvent, CalendarEventDetails, CalendarSummary } from '../../ports/calendar.ts'
import { type CalendarAccess, type Finding, openCalendar } from './calendar-access.ts'
import type { ConnectionNeeds } from './connection-needs.ts'
import { calendarFailure } from './refusals.ts'
import { requireSpan } from './rules.ts'
import type { CalendarProvider } from './store.ts'

/** Questions of one person that a provider is asked at a time. */
const AT_A_TIME = 8

/** @throws ProviderFailure */
export async function calendarsOf(
  needs: ConnectionNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
): Promise<CalendarSummary[]> {
  const access = await openCalendar(needs, caller, provider)
  const found = await understood('calendars', () =>
    access.ask((port, accessToken) => port.listCalendars(accessToken)),
  )
  if (found.kind === 'not-found') throw calendarFailure('calendars')
  return found.value
}

type EventsInput = Input<'listProviderAEvents'>
type EventsBody = Reply<'listProviderAEvents'>['body']

/**
 * Events of several calendars side by side. One that fails is told beside the others.
 * @throws Refusal not-found where there is none of them
 * @throws ProviderFailure where none can be read
 */
export async function eventsOf(
  needs: ConnectionNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
  { calendars }: EventsInput,
): Promise<EventsBody> {
  const spans = calendars.map((asked, index) => ({
    calendarId: asked.calendarId,
    ...requireSpan(asked, index),
  }))
  const access = await openCalendar(needs, caller, provider)
  const results = await sideBySide(spans, AT_A_TIME, async (span) => ({
    calendarId: span.calendarId,
    found: await readEvents(needs, access, span),
  }))
  const failed = results.filter(({ found }) => typeof found === 'string')
  if (results.length > 0 && failed.length === results.length) {
    if (failed.every(({ found }) => found === 'not-found')) throw noSuch('calendar')
    throw calendarFailure('events')
  }
  return results.map(({ calendarId, found }) =>
    typeof found === 'string'
      ? { calendarId, events: [], error: 'calendar-unavailable' as const }
      : { calendarId, events: found.map((event) => listForm(calendarId, event)) },
  )
}

async function readEvents(
  { log }: ConnectionNeeds,
  access: CalendarAccess,
  span: { calendarId: string; from: Date; to: Date },
): Promise<CalendarEvent[] | 'not-found' | 'unavailable'> {
  try {
    const found = await access.ask((port, accessToken) => port.listEvents(accessToken, span))
    return found.kind === 'answered' ? found.value : 'not-found'
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    log.warn({ err: error }, 'a calendar could not be read')
    return 'unavailable'
  }
}

type DetailsInput = Input<'readProviderAEvents'>
type DetailsBody = Reply<'readProviderAEvents'>['body']

/**
 * Details of several events. One that is not there (any more) is left out of the others.
 * @throws Refusal not-found where none of them is there
 * @throws ProviderFailure
 */
export async function detailsOf(
  needs: ConnectionNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
  { events }: DetailsInput,
): Promise<DetailsBody> {
  const access = await openCalendar(needs, caller, provider)
  const results = await sideBySide(events, AT_A_TIME, async (asked) => {
    const found = await understood('details', () =>
      access.ask((port, accessToken) => port.readEvent(accessToken, asked)),
    )
    return found.kind === 'not-found' ? [] : [detailForm(asked.calendarId, found.value)]
  })
  if (events.length > 0 && results.every((found) => found.length === 0)) throw noSuch('event')
  return results.flat()
}

async function understood<T>(action: string, ask: () => Promise<Finding<T>>): Promise<Finding<T>> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ProviderFailure ? calendarFailure(action, error) : error
  }
}

function noSuch(what: 'calendar' | 'event'): Refusal {
  return new Refusal('not-found', `There is no such ${what}`, { error: `${what}-not-found` })
}

/** Field by field: there are thousands of them, and spreading each takes longer than all else that is done here. */
function listForm(calendarId: string, event: CalendarEvent) {
  const form = {
    id: event.id,
    calendarId,
    title: event.title,
    start: event.start,
    end: event.end,
    startTimezone: event.startTimezone,
    endTimezone: event.endTimezone,
    recurringEventId: event.recurringEventId,
    organizer: { email: event.organizerEmail },
    attendees: event.attendees,
  }
  return event.allDay ? { ...form, allDay: true } : form
}

function detailForm(calendarId: string, event: CalendarEventDetails) {
  const { organizerEmail: email, organizerName: name, description, recurrence } = event
  return { ...listForm(calendarId, event), organizer: { email, name }, description, recurrence }
}
