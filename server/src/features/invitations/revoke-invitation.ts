import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type InvitationViewNeeds, invitationView } from './invitation-view.ts'
import { stateOf } from './rules.ts'
import { type InvitationRecord, lockInvitation, markRevoked } from './store.ts'

interface Needs extends InvitationViewNeeds {
  db: Db
  clock: Clock
}

/** Revokes an invitation that is pending: its token is dead from then on. */
export async function revokeInvitation(
  needs: Needs,
  caller: CallerOf<'revokeInvitation'>,
  input: Input<'revokeInvitation'>,
): Promise<Reply<'revokeInvitation'>> {
  const now = needs.clock.now()
  const { id, identityId } = caller.organization
  const revoked = await transaction(needs.db, async (tx) => {
    const invitation = await lockPending(tx, caller, input.invitationId, now)
    await markRevoked(tx, id, invitation.id, now)
    const target = { kind: 'invitation', id: invitation.id } as const
    await recordAudit(tx, id, caller, { action: 'invitation.revoked', target }, now)
    return { ...invitation, revokedAt: now, updatedAt: now }
  })
  return {
    status: 200,
    body: invitationView(needs, revoked, { organization: identityId, withToken: true, now }),
  }
}

async function lockPending(
  tx: Tx,
  caller: CallerOf<'revokeInvitation'>,
  invitationId: string,
  now: Date,
): Promise<InvitationRecord> {
  const invitation = await lockInvitation(tx, caller.organization.id, invitationId)
  if (!invitation) {
    throw new Refusal('not-found', 'There is no such invitation', { error: 'invitation-not-found' })
  }
  const state = stateOf(invitation, now)
  if (state !== 'pending') {
    throw new Refusal('conflict', `This invitation is ${state}, not pending`, {
      error: 'invitation-not-pending',
    })
  }
  return invitation
}
