import type { Input, Reply } from '@atrium/contract'
import { type AuditEntry, recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { mayGrant } from '../../access/permissions.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { isInvitationId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type InvitationViewNeeds, invitationView } from './invitation-view.ts'
import { aboveOwn, stateOf } from './rules.ts'
import { type InvitationRecord, lockInvitation, markRevoked } from './store.ts'

interface Needs extends InvitationViewNeeds {
  db: Db
  clock: Clock
}

/** Revokes an invitation that is pending, to a role that the caller could grant: its token is dead from then on. */
export async function revokeInvitation(
  needs: Needs,
  caller: CallerOf<'revokeInvitation'>,
  input: Input<'revokeInvitation'>,
): Promise<Reply<'revokeInvitation'>> {
  const now = needs.clock.now()
  const { id, identityId } = caller.organization
  const isPerson = 'user' in caller
  const { invitation, fault } = await transaction(needs.db, async (tx) => {
    const pending = await lockPending(tx, caller, input.invitationId, now)
    const { email } = pending
    const about: Omit<AuditEntry, 'action'> = {
      target: { kind: 'invitation', id: pending.id },
      detail: { email, role: pending.role },
    }
    if (isPerson && !mayGrant(caller.organization.role, pending.roleGiven)) {
      // the attempt is written down: that is why it is no exception here
      await recordAudit(tx, id, caller, now, { ...about, action: 'invitation.revoke-refused' })
      return { invitation: pending, fault: true }
    }
    await markRevoked(tx, id, pending.id, now)
    await recordAudit(tx, id, caller, now, { ...about, action: 'invitation.revoked' })
    return { invitation: { ...pending, revokedAt: now, updatedAt: now }, fault: false }
  })
  if (fault)
    throw aboveOwn('This invitation is to a role above your own; somebody of that role can revoke it')
  return {
    status: 200,
    body: invitationView(needs, invitation, { organization: identityId, withToken: isPerson, now }),
  }
}

async function lockPending(
  tx: Tx,
  caller: CallerOf<'revokeInvitation'>,
  invitationId: string,
  now: Date,
): Promise<InvitationRecord> {
  const isOne = isInvitationId(invitationId)
  const invitation = isOne && (await lockInvitation(tx, caller.organization.id, invitationId))
  if (!invitation) throw Refusal.of('invitation-not-found')
  const state = stateOf(invitation, now)
  if (state !== 'pending') {
    throw Refusal.of('invitation-not-pending', { message: `This invitation is ${state}, not pending` })
  }
  return invitation
}
