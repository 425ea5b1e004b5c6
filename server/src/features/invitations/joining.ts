import type { Role } from '@atrium/contract'
import { type Admission, admitMember, previewAdmission, type WayIn } from '../../access/admission.ts'
import {
  type AuditAuthor,
  type AuditEntry,
  recordAttempt,
  recordAudits,
} from '../../access/audit/audit-trail.ts'
import { joinImported } from '../../access/imported-membership.ts'
import { rankOf } from '../../access/permissions.ts'
import { changeRole, findMember, lockMembers } from '../../directory/members/members.ts'
import type { OrganizationRef } from '../../directory/organizations.ts'
import { holdRetention } from '../../directory/retention.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { type InviteFault, stateOf } from './rules.ts'
import { findWaiting, lockInvitation, lockWaiting, markAccepted } from './store.ts'

/** The role of a user who comes by the link, or by single sign-on. */
export const DEFAULT_ROLE: Role = 'member'

/** Who comes in, by which request. */
export interface Newcomer {
  /** `email` is proven. */
  user: { id: UserId; email: string }
  requestId: string
  /** Of the network. */
  address: string
}

/** Ways in that are open to many: they give all the same role. */
type OpenWay = Exclude<WayIn, 'invitation' | 'directory'>

/**
 * Makes a user a member by a way in that is open to many. An invitation that waits for their address counts on every
 * way: it is accepted, and its role is the one they have. The trail keeps also that a user was kept out: do not roll
 * back because of it.
 * @returns the role they have from now on
 */
export async function joinByOpenWay(
  tx: Tx,
  organization: OrganizationId,
  way: OpenWay,
  newcomer: Newcomer,
  now: Date,
): Promise<{ role: Role } | InviteFault> {
  const { user } = newcomer
  if (!(await lockMembers(tx, organization))) return 'unknown'
  await holdRetention(tx, organization)
  await joinImported(tx, user, now, organization)
  const waiting = await lockWaiting(tx, organization, user.email, now)
  if (waiting) return await joinByInvitation(tx, organization, waiting.id, newcomer, now)
  const admitted = await admitMember(tx, { organization, user: user.id, role: DEFAULT_ROLE, way }, now)
  if (admitted === 'removed')
    return await keptOut(tx, organization, { newcomer, way, reason: 'removed' }, now)
  const member = await findMember(tx, organization, user.id)
  if (!member) return await keptOut(tx, organization, { newcomer, way, reason: 'inactive' }, now)
  if (admitted) {
    await recordAudits(tx, organization, newcomer, now, [
      { action: 'member.joined', target: { kind: 'user', id: user.id }, detail: { role: admitted, way } },
    ])
  }
  return { role: member.role }
}

interface KeptOut {
  newcomer: Newcomer
  way: WayIn
  reason: 'removed' | 'inactive'
}

/** Writes down whom an organization keeps out though they know a way in. */
async function keptOut(
  tx: Tx,
  organization: OrganizationId,
  { newcomer, way, reason }: KeptOut,
  now: Date,
): Promise<KeptOut['reason']> {
  await recordAttempt(tx, organization, newcomer, now, {
    action: 'member.join-refused',
    target: { kind: 'user', id: newcomer.user.id },
    detail: { way, reason },
  })
  return reason
}

/**
 * Makes a user a member by an invitation to their address; a user who is one already has its role where that is the
 * higher one. Of many calls at once with one invitation, one joins.
 * @returns the role they have from now on
 */
export async function joinByInvitation(
  tx: Tx,
  organization: OrganizationId,
  invitationId: string,
  newcomer: Newcomer,
  now: Date,
): Promise<{ role: Role } | InviteFault> {
  const { user } = newcomer
  if (!(await lockMembers(tx, organization))) return 'unknown'
  await holdRetention(tx, organization)
  await joinImported(tx, user, now, organization)
  const invitation = await lockInvitation(tx, organization, invitationId)
  if (!invitation) return 'unknown'
  if (invitation.email !== user.email) return 'other-address'
  const state = stateOf(invitation, now)
  if (state !== 'pending') return state

  const role = invitation.roleGiven
  const before = await findMember(tx, organization, user.id)
  const { createdAt: invitedAt } = invitation
  const admission: Admission = { organization, user: user.id, role, way: 'invitation', invitedAt }
  if ((await admitMember(tx, admission, now)) === 'removed')
    return await keptOut(tx, organization, { newcomer, way: 'invitation', reason: 'removed' }, now)
  const member = await findMember(tx, organization, user.id)
  if (!member)
    return await keptOut(tx, organization, { newcomer, way: 'invitation', reason: 'inactive' }, now)
  await markAccepted(tx, organization, invitation.id, user.id, now)
  const raised = before !== undefined && rankOf(role) > rankOf(before.role)
  const has = raised ? role : member.role
  const entries: AuditEntry[] = [
    {
      action: 'invitation.accepted',
      target: { kind: 'invitation', id: invitation.id },
      detail: { role: has },
    },
  ]
  if (raised) {
    await changeRole(tx, organization, user.id, role, now)
    const detail = { from: before.role, to: role }
    entries.push({ action: 'member.role-changed', target: { kind: 'user', id: user.id }, detail })
  }
  await recordAudits(tx, organization, newcomer satisfies AuditAuthor, now, entries)
  return { role: has }
}

/**
 * The role that a user would have by a way in, without anything being changed: undefined where nothing would change,
 * `removed` where they may not come in by it.
 */
export async function previewJoin(
  db: Db,
  way: JoinPreview,
  user: Newcomer['user'],
  now: Date,
): Promise<Role | 'removed' | undefined> {
  const { id: organization } = way.organization
  if (way.kind === 'invitation') return way.email === user.email ? way.role : undefined
  const waiting = await findWaiting(db, organization, user.email, now)
  if (waiting) return waiting.roleGiven
  const admission = { organization, user: user.id, role: DEFAULT_ROLE, way: way.kind }
  return await previewAdmission(db, admission)
}

/** A way into an organization; of an invitation with the role that it gives, and the address that it is for. */
type JoinPreview =
  | { kind: OpenWay; organization: OrganizationRef }
  | { kind: 'invitation'; organization: OrganizationRef; role: Role; email: string }
