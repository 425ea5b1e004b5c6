import type { CalendarProvider, Input, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import { ProviderFailure } from '../../../platform/refusal.ts'
import { sideBySide } from '../../../platform/side-by-side.ts'
import type { CalendarEvent } from '../../../ports/calendar.ts'
import { type CalendarAccess, openCalendar, QUESTIONS_AT_A_TIME } from '../connection/calendar-access.ts'
import type { ConnectionNeeds } from '../connection/connection-needs.ts'
import { calendarFailure, noSuch } from '../refusals.ts'
import { listForm } from './event-forms.ts'
import { requireSpan } from './rules.ts'

type Operation = 'listProviderAEvents' | 'listProviderBEvents'

export const listProviderAEvents = listEvents('provider-a')
export const listProviderBEvents = listEvents('provider-b')

/**
 * Events of several of the caller's calendars at a provider, side by side. One that fails is told beside the others;
 * where none is there the answer is not-found, where none can be read a failure of the provider.
 */
function listEvents(provider: CalendarProvider) {
  return async (
    needs: ConnectionNeeds,
    caller: SignedInCaller,
    { calendars }: Input<Operation>,
  ): Promise<Reply<Operation>> => {
    const spans = calendars.map((calendar, index) => ({
      calendarId: calendar.calendarId,
      ...requireSpan(calendar, index),
    }))
    const access = await openCalendar(needs, caller, provider)
    const results = await sideBySide(spans, QUESTIONS_AT_A_TIME, async (span) => ({
      calendarId: span.calendarId,
      found: await readEvents(needs, access, span),
    }))
    const failed = results.filter(({ found }) => typeof found === 'string')
    if (results.length > 0 && failed.length === results.length) {
      if (failed.every(({ found }) => found === 'not-found')) throw noSuch('calendar')
      throw calendarFailure('events')
    }
    const body = results.map(({ calendarId, found }) =>
      typeof found === 'string'
        ? { calendarId, events: [], error: 'calendar-unavailable' as const }
        : { calendarId, events: found.map((event) => listForm(calendarId, event)) },
    )
    return { status: 200, body }
  }
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
