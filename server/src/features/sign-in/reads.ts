import type { Tx } from '../../platform/database/database.ts'
import type { IdentityUserId, UserId } from '../../platform/ids.ts'
import { dropCodeRequestsOf } from './code/code-requests.ts'
import { unlinkIdentities } from './federated/redirect-store.ts'
import { dropRecoveryLinks } from './recovery/recovery-store.ts'
import { dropPendingSignUps } from './sign-up/sign-up-store.ts'
import { dropPendingSignIns } from './switching/store.ts'

/**
 * Ends what a user has begun by an address that is no longer theirs, or has just become theirs, and links for recovery,
 * which an operator may have sent there; accounts elsewhere that were linked by it no longer sign in, until they are
 * linked again.
 */
export async function forgetWaysIn(
  tx: Tx,
  user: { id: UserId; identityId: IdentityUserId },
  emails: readonly string[],
): Promise<void> {
  await dropPendingSignIns(tx, user.id)
  await dropRecoveryLinks(tx, user.id)
  await unlinkIdentities(tx, user)
  for (const email of emails) {
    await dropCodeRequestsOf(tx, email)
    await dropPendingSignUps(tx, email)
  }
}
