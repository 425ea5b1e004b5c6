import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { detailsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** Events at provider B with everything that is known of them. */
export async function readProviderBEvents(
  needs: ConnectionNeeds,
  caller: CallerOf<'readProviderBEvents'>,
  input: Input<'readProviderBEvents'>,
): Promise<Reply<'readProviderBEvents'>> {
  return { status: 200, body: await detailsOf(needs, caller, 'provider-b', input) }
}
