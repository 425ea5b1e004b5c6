import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { beginConnection, type ConnectNeeds } from './connect-calendar.ts'

/** Begins to connect a calendar of provider A. */
export async function connectProviderACalendar(
  needs: ConnectNeeds,
  caller: CallerOf<'connectProviderACalendar'>,
  input: Input<'connectProviderACalendar'>,
): Promise<Reply<'connectProviderACalendar'>> {
  const redirectUrl = await beginConnection(needs, caller, 'provider-a', input)
  return { status: 200, body: { authData: { redirectUrl } } }
}
