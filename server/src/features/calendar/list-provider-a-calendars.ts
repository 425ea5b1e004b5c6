import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { calendarsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** The caller's calendars at provider A. */
export async function listProviderACalendars(
  needs: ConnectionNeeds,
  caller: CallerOf<'listProviderACalendars'>,
): Promise<Reply<'listProviderACalendars'>> {
  return { status: 200, body: await calendarsOf(needs, caller, 'provider-a') }
}
