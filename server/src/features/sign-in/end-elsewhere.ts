import { revokeOtherSessions } from '../../access/sessions/session-endings.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { dropPendingSignIns } from './switching/store.ts'

/**
 * Ends all sign-ins of a user but one session: other sessions, and sign-ins that were proven and wait for the choice of
 * an organization. The sessions first, as that locks the account: none of these becomes a session meanwhile.
 */
export async function endElsewhere(tx: Tx, user: UserId, kept: string, now: Date): Promise<void> {
  await revokeOtherSessions(tx, user, kept, now)
  await dropPendingSignIns(tx, user)
}
