import type { Role } from '@atrium/contract'
import { type AuditAuthor, recordAudit } from '../../access/audit-trail.ts'
import { findMember, lockMembers } from '../../directory/members.ts'
import { addMembership } from '../../directory/memberships.ts'
import type { OrganizationRecord } from '../../directory/organizations.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { hashToken } from '../../platform/secret.ts'
import { findLinkedOrganization } from './invite-link-store.ts'
import { grantedRole, type InviteFault, stateOf } from './rules.ts'
import { findInvitationByToken, lockInvitation, markAccepted, revokePendingOf } from './store.ts'

export { type InviteFault, inviteRefusal } from './rules.ts'

/** Where a token leads: of an organization's link, or of an invitation that was mailed to one address. */
export interface Invite {
  organization: OrganizationRecord
  role: Role
  kind: 'link' | 'invitation'
  /** Of an invitation: the address that it is for. */
  email?: string
}

/** The role of whoever comes by the link. */
const LINK_ROLE: Role = 'member'

/**
 * Looks at a token without using it up.
 * @returns `dead` where it is unknown, replaced or used, or its organization deleted; `expired` where its time is
 * over or it was revoked
 */
export async function findInvite(db: Db, token: string, now: Date): Promise<Invite | 'dead' | 'expired'> {
  const tokenHash = hashToken(token)
  const linked = await findLinkedOrganization(db, tokenHash)
  if (linked) return { organization: linked, role: LINK_ROLE, kind: 'link' }
  const invitation = await findInvitationByToken(db, tokenHash)
  if (!invitation) return 'dead'
  const state = stateOf(invitation, now)
  if (state === 'accepted') return 'dead'
  if (state !== 'pending') return 'expired'
  const { organization, role, email } = invitation
  return { organization, role, kind: 'invitation', email }
}

/** Who comes in, with the address they have proven. */
export interface Newcomer {
  user: { id: UserId; email: string }
  requestId: string
  address: string
}

export interface Joined {
  organization: OrganizationRecord
  /** The role they have now: of somebody who was a member before, the one they had. */
  role: Role
}

/**
 * Makes somebody a member by a token, and writes it down. Of many calls at once with one invitation, one joins.
 * Afterwards call `callers.forget`.
 */
export async function acceptInvite(
  tx: Tx,
  token: string,
  newcomer: Newcomer,
  now: Date,
): Promise<Joined | InviteFault> {
  const tokenHash = hashToken(token)
  const linked = await findLinkedOrganization(tx, tokenHash)
  if (linked) return await joinByLink(tx, linked, newcomer, now)
  const invitation = await findInvitationByToken(tx, tokenHash)
  return invitation ? await joinByInvitation(tx, invitation, newcomer, now) : 'unknown'
}

async function joinByLink(
  tx: Tx,
  organization: OrganizationRecord,
  newcomer: Newcomer,
  now: Date,
): Promise<Joined | InviteFault> {
  const { user } = newcomer
  if (!(await lockMembers(tx, organization.id))) return 'unknown'
  const added = await addMembership(
    tx,
    { organization: organization.id, user: user.id, role: LINK_ROLE },
    now,
  )
  const member = await findMember(tx, organization.id, user.id)
  if (!member) return 'inactive'
  if (added) {
    const deed = {
      action: 'member.joined',
      target: { kind: 'user', id: user.id },
      detail: { role: LINK_ROLE },
    } as const
    await recordAudit(tx, organization.id, newcomer, deed, now)
  }
  return { organization, role: member.role }
}

async function joinByInvitation(
  tx: Tx,
  found: { id: string; organization: OrganizationRecord },
  newcomer: Newcomer,
  now: Date,
): Promise<Joined | InviteFault> {
  const { organization } = found
  const { user } = newcomer
  if (!(await lockMembers(tx, organization.id))) return 'unknown'
  const invitation = await lockInvitation(tx, organization.id, found.id)
  if (!invitation) return 'unknown'
  if (invitation.email !== user.email) return 'other-address'
  const state = stateOf(invitation, now)
  if (state !== 'pending') return state

  const inviter = await findMember(tx, organization.id, invitation.inviter)
  const role = grantedRole(invitation.role, inviter?.role)
  await addMembership(tx, { organization: organization.id, user: user.id, role }, now)
  const member = await findMember(tx, organization.id, user.id)
  if (!member) return 'inactive'
  await markAccepted(tx, organization.id, invitation.id, user.id, now)
  const deed = {
    action: 'invitation.accepted',
    target: { kind: 'invitation', id: invitation.id },
    detail: { role: member.role },
  } as const
  await recordAudit(tx, organization.id, newcomer satisfies AuditAuthor, deed, now)
  return { organization, role: member.role }
}

/** Revokes what somebody who is removed has sent, and what would let them in again. @returns how many */
export async function revokeInvitationsOf(
  tx: Tx,
  organization: OrganizationId,
  removed: { id: UserId; email: string },
  now: Date,
): Promise<number> {
  return await revokePendingOf(tx, organization, removed, now)
}
