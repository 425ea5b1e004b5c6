import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type FinalizeNeeds, finishConnection } from './connect-calendar.ts'

/** Connects the calendar of provider B that the caller has just consented to. */
export async function finalizeProviderBCalendar(
  needs: FinalizeNeeds,
  caller: CallerOf<'finalizeProviderBCalendar'>,
  input: Input<'finalizeProviderBCalendar'>,
): Promise<Reply<'finalizeProviderBCalendar'>> {
  await finishConnection(needs, caller, 'provider-b', input)
  return { status: 200, body: { code: 200, message: 'The calendar is connected' } }
}
