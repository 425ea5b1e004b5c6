import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type DisconnectNeeds, forgetConnection, revokeConsent } from './disconnect-calendar.ts'

/** Deletes the tokens of provider B and has it revoke the consent, where it offers that. */
export async function disconnectProviderBCalendar(
  needs: DisconnectNeeds,
  caller: CallerOf<'disconnectProviderBCalendar'>,
): Promise<Reply<'disconnectProviderBCalendar'>> {
  await revokeConsent(needs, await forgetConnection(needs, caller, 'provider-b'))
  return { status: 200, body: { code: 200, message: 'The calendar is disconnected' } }
}
