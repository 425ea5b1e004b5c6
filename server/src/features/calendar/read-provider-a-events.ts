import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { detailsOf } from './ask-calendars.ts'
import type { ConnectionNeeds } from './connection-needs.ts'

/** Events at provider A with everything that is known of them. */
export async function readProviderAEvents(
  needs: ConnectionNeeds,
  caller: CallerOf<'readProviderAEvents'>,
  input: Input<'readProviderAEvents'>,
): Promise<Reply<'readProviderAEvents'>> {
  return { status: 200, body: await detailsOf(needs, caller, 'provider-a', input) }
}
