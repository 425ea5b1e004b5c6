import type { CalendarProvider, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'
import { deleteConnection, forgetCodes } from '../store.ts'
import { type RevokeNeeds, revokeConsent } from './revoke-consent.ts'

interface Needs extends RevokeNeeds {
  db: Db
}

export const disconnectProviderACalendar = disconnectCalendar('provider-a')
export const disconnectProviderBCalendar = disconnectCalendar('provider-b')

/** Forgets a connection in every state, whether calendars are switched on or not. */
function disconnectCalendar(provider: CalendarProvider) {
  return async (
    needs: Needs,
    caller: SignedInCaller,
  ): Promise<Reply<'disconnectProviderACalendar' | 'disconnectProviderBCalendar'>> => {
    const key = { user: caller.user.id, provider }
    await forgetCodes(needs.db, key)
    const sealedTokens = await deleteConnection(needs.db, key)
    if (sealedTokens) await revokeConsent(needs, key, sealedTokens)
    return { status: 200, body: { code: 200, message: 'The calendar is disconnected' } }
  }
}
