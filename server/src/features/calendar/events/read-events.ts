import type { CalendarProvider, Input, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import { sideBySide } from '../../../platform/side-by-side.ts'
import { openCalendar, QUESTIONS_AT_A_TIME } from '../connection/calendar-access.ts'
import type { ConnectionNeeds } from '../connection/connection-needs.ts'
import { asFailureOf, noSuch } from '../refusals.ts'
import { detailForm } from './event-forms.ts'

type Operation = 'readProviderAEvents' | 'readProviderBEvents'

export const readProviderAEvents = readEvents('provider-a')
export const readProviderBEvents = readEvents('provider-b')

/**
 * Events at a provider with everything that is known of them. One that is not there (any more) is left out of the
 * others; where none is there the answer is not-found.
 */
function readEvents(provider: CalendarProvider) {
  return async (
    needs: ConnectionNeeds,
    caller: SignedInCaller,
    { events }: Input<Operation>,
  ): Promise<Reply<Operation>> => {
    const access = await openCalendar(needs, caller, provider)
    const results = await sideBySide(events, QUESTIONS_AT_A_TIME, async (event) => {
      const found = await asFailureOf('details', () =>
        access.ask((port, accessToken) => port.readEvent(accessToken, event)),
      )
      return found.kind === 'not-found' ? [] : [detailForm(event.calendarId, found.value)]
    })
    if (events.length > 0 && results.every((found) => found.length === 0)) throw noSuch('event')
    return { status: 200, body: results.flat() }
  }
}
