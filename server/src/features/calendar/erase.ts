import { calendarProviders } from '@atrium/contract'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import { type RevokeNeeds, revokeConsent } from './connection/revoke-consent.ts'
import { deleteConnection, forgetCodes } from './store.ts'

/** Their connections, and their consent at the providers as far as these let it be revoked. */
export async function eraseFromCalendars(
  needs: RevokeNeeds & { db: Db },
  { id }: ErasedPerson,
): Promise<void> {
  for (const provider of calendarProviders) {
    const key = { user: id, provider }
    await forgetCodes(needs.db, key)
    const sealedTokens = await deleteConnection(needs.db, key)
    if (sealedTokens) await revokeConsent(needs, key, sealedTokens)
  }
}
