import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { forgetConnection } from './disconnect-calendar.ts'

interface Needs {
  db: Db
}

/** Deletes the tokens of provider A. The consent stays at the provider, as the interface has it. */
export async function disconnectProviderACalendar(
  needs: Needs,
  caller: CallerOf<'disconnectProviderACalendar'>,
): Promise<Reply<'disconnectProviderACalendar'>> {
  await forgetConnection(needs, caller, 'provider-a')
  return { status: 200, body: { code: 200, message: 'The calendar is disconnected' } }
}
