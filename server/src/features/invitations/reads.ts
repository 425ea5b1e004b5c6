import type { Role } from '@atrium/contract'
import type { OrganizationRecord, OrganizationRef } from '../../directory/organizations.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { findLinkedOrganization } from './invite-link-store.ts'
import { DEFAULT_ROLE, joinByInvitation, joinByOpenWay, type Newcomer } from './joining.ts'
import { type InviteFault, stateOf } from './rules.ts'
import { findInvitationByToken, listOffered } from './store.ts'

export { type Newcomer, previewJoin } from './joining.ts'
export { type InviteFault, inviteOver, inviteRefusal } from './rules.ts'
export { isAwaited, listOffered, revokeInvitationsOf } from './store.ts'

/** Where a token leads: of an organization's link, or of an invitation that was mailed to one address (`email`). */
export type Invite =
  | { kind: 'link'; organization: OrganizationRecord; role: Role; email?: undefined }
  | { kind: 'invitation'; organization: OrganizationRecord; role: Role; email: string }

/**
 * Looks at a token without using it up.
 * @returns `dead` where it is unknown, replaced or used, or its organization deleted; `expired` where its time is
 * over or it was revoked
 */
export async function findInvite(db: Db, token: string, now: Date): Promise<Invite | 'dead' | 'expired'> {
  const tokenHash = hashToken(token)
  const linked = await findLinkedOrganization(db, tokenHash)
  if (linked) return { organization: linked, role: DEFAULT_ROLE, kind: 'link' }
  const invitation = await findInvitationByToken(db, tokenHash)
  if (!invitation) return 'dead'
  const state = stateOf(invitation, now)
  if (state === 'accepted') return 'dead'
  if (state !== 'pending') return 'expired'
  const { organization, roleGiven: role, email } = invitation
  return { organization, role, kind: 'invitation', email }
}

export interface Joined {
  organization: OrganizationRecord
  /** The role they have now: of a former member, the one they had. */
  role: Role
}

/**
 * Makes a user a member by a token, and writes it down. Of many calls at once with one invitation, one joins.
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
  if (linked) return joined(linked, await joinByOpenWay(tx, linked.id, 'link', newcomer, now))
  const invitation = await findInvitationByToken(tx, tokenHash)
  if (!invitation) return 'unknown'
  const { id, organization } = invitation
  return joined(organization, await joinByInvitation(tx, organization.id, id, newcomer, now))
}

/**
 * The same by the invitation of an organization that waits for the proven address of the user.
 * @param organization as the wire knows it
 */
export async function acceptOffer(
  tx: Tx,
  organization: string,
  newcomer: Newcomer,
  now: Date,
): Promise<Joined | InviteFault> {
  const offers = await listOffered(tx, newcomer.user.id, now)
  const offer = offers.find((one) => one.organization.identityId === organization)
  if (!offer) return 'unknown'
  const { id } = offer.organization
  return joined(offer.organization, await joinByInvitation(tx, id, offer.invitation, newcomer, now))
}

function joined(
  organization: OrganizationRecord,
  outcome: { role: Role } | InviteFault,
): Joined | InviteFault {
  return typeof outcome === 'string' ? outcome : { organization, role: outcome.role }
}

/**
 * Makes a user a member of the organization that vouches for them by its single sign-on, and writes it down; a user
 * who was removed stays out. Afterwards call `callers.forget`.
 */
export async function joinBySingleSignOn(
  tx: Tx,
  organization: OrganizationRef,
  newcomer: Newcomer,
  now: Date,
): Promise<Pick<Joined, 'role'> | InviteFault> {
  return await joinByOpenWay(tx, organization.id, 'single-sign-on', newcomer, now)
}
