import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf, MemberCaller } from '../../access/caller.ts'
import { roleHolds } from '../../access/permissions.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { deactivateOrganization } from '../../access/sessions/session-endings.ts'
import { removeMembership } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort } from '../../ports/media.ts'
import { revokeInvitationsOf } from '../invitations/reads.ts'
import { findRoom } from '../rooms/reads.ts'
import { faultOfRemoval, memberRefusal } from './rules.ts'
import { lockStanding } from './standing.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
  media: Pick<MediaPort, 'remove'>
  log: Pick<Log, 'warn'>
}

/**
 * Removes a member: their sessions no longer work in the organization, their connections are put out, and invitations
 * that they have sent or could still accept are void. Removing oneself is leaving.
 */
export async function removeMember(
  needs: Needs,
  caller: CallerOf<'removeMember'>,
  input: Input<'removeMember'>,
): Promise<Reply<'removeMember'>> {
  const removed = await remove(needs, caller, input.id)
  needs.callers.forget(removed)
  if (input.spaceId !== undefined) await kick(needs, caller, removed, input.spaceId)
  return { status: 204 }
}

/** The earlier path. */
export async function removeMembershipUser(
  needs: Needs,
  caller: CallerOf<'removeMembershipUser'>,
  input: Input<'removeMembershipUser'>,
): Promise<Reply<'removeMembershipUser'>> {
  const { userId, ...rest } = input
  return await removeMember(needs, caller, { id: userId, ...rest })
}

/**
 * Puts a removed member out of the room they are said to be in. They may be nowhere, or the room may not be ours: that
 * takes nothing away from the removal. A job looks for them in all rooms besides.
 */
async function kick(needs: Needs, caller: MemberCaller, user: UserId, spaceId: string): Promise<void> {
  const room = await findRoom(needs.db, caller.organization.id, spaceId)
  if (!room) return
  try {
    await needs.media.remove(room.id, user)
  } catch (error) {
    needs.log.warn({ err: error, requestId: caller.requestId }, 'a removed member is put out of a room later')
  }
}

async function remove(needs: Needs, caller: MemberCaller, memberId: string): Promise<UserId> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  // the role decides before anything is looked up: a caller who may not remove members learns nothing about them
  if (memberId !== caller.user.id && !roleHolds(caller.organization.role, 'BanUser'))
    throw memberRefusal('not-allowed')
  return await transaction(needs.db, async (tx) => {
    const { member, standing } = await lockStanding(tx, caller, memberId)
    const self = member.id === caller.user.id
    const fault = faultOfRemoval(standing, self)
    if (fault) throw memberRefusal(fault)
    // Triggers of the table see to presence, to putting them out of rooms, to what was minted for them, to the caches of
    // all nodes, and to telling the identity provider.
    await removeMembership(
      tx,
      organization,
      member.id,
      self ? { kind: 'left' } : { kind: 'removed', removedBy: 'user' },
      now,
    )
    await deactivateOrganization(tx, organization, [member.id])
    // a member who leaves has invited in good faith: those invitations stay
    const revokedInvitations = self ? 0 : await revokeInvitationsOf(tx, organization, member, now)
    await recordAudit(tx, organization, caller, now, {
      action: self ? 'member.left' : 'member.removed',
      target: { kind: 'user', id: member.id },
      detail: { role: member.role, revokedInvitations },
    })
    return member.id
  })
}
