import type { CalendarProvider, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../access/caller.ts'
import { openCalendar } from './connection/calendar-access.ts'
import type { ConnectionNeeds } from './connection/connection-needs.ts'
import { asFailureOf, calendarFailure } from './refusals.ts'

export const listProviderACalendars = listCalendars('provider-a')
export const listProviderBCalendars = listCalendars('provider-b')

/** The caller's calendars at a provider. */
function listCalendars(provider: CalendarProvider) {
  return async (
    needs: ConnectionNeeds,
    caller: SignedInCaller,
  ): Promise<Reply<'listProviderACalendars' | 'listProviderBCalendars'>> => {
    const access = await openCalendar(needs, caller, provider)
    const found = await asFailureOf('calendars', () =>
      access.ask((port, accessToken) => port.listCalendars(accessToken)),
    )
    if (found.kind === 'not-found') throw calendarFailure('calendars')
    return { status: 200, body: found.value }
  }
}
