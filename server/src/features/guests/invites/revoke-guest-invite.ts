import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { roleAdmits } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lockInvite, markRevoked } from './invite-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Ends a link for guests. Guests who wait with it expire, as where a link ends by itself; again is right too. */
export async function revokeGuestInvite(
  { db, clock }: Needs,
  caller: CallerOf<'revokeGuestInvite'>,
  { inviteId }: Input<'revokeGuestInvite'>,
): Promise<Reply<'revokeGuestInvite'>> {
  const { id: organization, role } = caller.organization
  const now = clock.now()
  await transaction(db, async (tx) => {
    const invite = await lockInvite(tx, organization, inviteId)
    if (!invite) throw Refusal.of('guest-invite-not-found')
    if (invite.createdBy !== caller.user.id && !(await roleAdmits(tx, organization, role)))
      throw Refusal.of('role-not-allowed', {
        message: 'Only whoever made this link or admits guests may end it',
      })
    if (invite.revoked) return
    await markRevoked(tx, organization, inviteId, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'guest-invite.revoked',
      target: { kind: 'guest-invite', id: inviteId },
      detail: { roomId: invite.room },
    })
  })
  return { status: 204 }
}
