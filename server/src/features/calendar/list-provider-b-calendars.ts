import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { calendarsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** The caller's calendars at provider B. */
export async function listProviderBCalendars(
  needs: ConnectionNeeds,
  caller: CallerOf<'listProviderBCalendars'>,
): Promise<Reply<'listProviderBCalendars'>> {
  return { status: 200, body: await calendarsOf(needs, caller, 'provider-b') }
}
