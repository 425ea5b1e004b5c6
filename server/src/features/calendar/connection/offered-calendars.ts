import type { CalendarProvider } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import { isSwitchedOff } from '../store.ts'

export interface OfferNeeds {
  db: Db
  /** The feature as a whole. */
  calendarEnabled: boolean
  /** Providers of this office; one that is not here is not offered. */
  calendars: Partial<Record<CalendarProvider, CalendarPort>>
}

/**
 * The provider, where the caller may use it now.
 * @throws Refusal not-found where this office does not offer it, forbidden where calendars are switched off
 */
export async function requireOffered(
  needs: OfferNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
): Promise<CalendarPort> {
  const organization = caller.organization?.id
  const off = !needs.calendarEnabled || (organization && (await isSwitchedOff(needs.db, organization)))
  if (off) {
    throw Refusal.of('calendar-disabled')
  }
  const port = needs.calendars[provider]
  if (!port) throw Refusal.of('not-found', { message: 'This office does not offer this calendar' })
  return port
}
