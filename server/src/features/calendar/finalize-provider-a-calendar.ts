import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type FinalizeNeeds, finishConnection } from './connect-calendar.ts'

/** Connects the calendar of provider A that the caller has just consented to. */
export async function finalizeProviderACalendar(
  needs: FinalizeNeeds,
  caller: CallerOf<'finalizeProviderACalendar'>,
  input: Input<'finalizeProviderACalendar'>,
): Promise<Reply<'finalizeProviderACalendar'>> {
  await finishConnection(needs, caller, 'provider-a', input)
  return { status: 200, body: { code: 200, message: 'The calendar is connected' } }
}
