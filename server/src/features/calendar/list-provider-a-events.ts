import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { eventsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** Events of the caller's calendars at provider A. */
export async function listProviderAEvents(
  needs: ConnectionNeeds,
  caller: CallerOf<'listProviderAEvents'>,
  input: Input<'listProviderAEvents'>,
): Promise<Reply<'listProviderAEvents'>> {
  return { status: 200, body: await eventsOf(needs, caller, 'provider-a', input) }
}
