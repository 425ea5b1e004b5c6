import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { beginConnection, type ConnectNeeds } from './connect-calendar.ts'

/** Begins to connect a calendar of provider B. */
export async function connectProviderBCalendar(
  needs: ConnectNeeds,
  caller: CallerOf<'connectProviderBCalendar'>,
  input: Input<'connectProviderBCalendar'>,
): Promise<Reply<'connectProviderBCalendar'>> {
  const redirectUrl = await beginConnection(needs, caller, 'provider-b', input)
  return { status: 200, body: { redirectUrl } }
}
