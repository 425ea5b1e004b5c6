import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { eventsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** Events of the caller's calendars at provider B. */
export async function listProviderBEvents(
  needs: ConnectionNeeds,
  caller: CallerOf<'listProviderBEvents'>,
  input: Input<'listProviderBEvents'>,
): Promise<Reply<'listProviderBEvents'>> {
  return { status: 200, body: await eventsOf(needs, caller, 'provider-b', input) }
}
