import type { Role } from '@atrium/contract'
import { type Departure, readDeparture } from '../directory/members/departures.ts'
import { readMembershipState, restoreMembership } from '../directory/members/memberships.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { OrganizationId, UserId } from '../platform/ids.ts'
import { lowerRole } from './permissions.ts'

/**
 * How a person comes into an organization. Only an invitation is made for one person, by a member; a directory restores
 * what a directory has taken away.
 */
export type WayIn = 'invitation' | 'link' | 'single-sign-on' | 'directory'

/**
 * The role of a person who comes in. A former member who was removed by others comes back only by a later invitation;
 * one who left has at most the former role, unless they are invited.
 * @param invitedAt of an invitation: when it was sent
 */
export function admissionRole(
  way: WayIn,
  offered: Role,
  departure: Departure | undefined,
  invitedAt?: Date,
): Role | 'removed' {
  if (!departure) return offered
  const isInvitedAgain = invitedAt !== undefined && invitedAt > departure.at
  if (way === 'invitation') return departure.kind === 'left' || isInvitedAgain ? offered : 'removed'
  if (way === 'directory' && departure.kind === 'removed' && departure.removedBy === 'directory')
    return offered
  return departure.kind === 'removed' ? 'removed' : lowerRole(offered, departure.role)
}

export interface Admission {
  organization: OrganizationId
  user: UserId
  /** What the way in gives. */
  role: Role
  way: WayIn
  /** Of an invitation: when it was sent. */
  invitedAt?: Date
}

/** The role that a person would come in with; undefined where they have a membership of any status. */
export async function previewAdmission(db: Db, admission: Admission): Promise<Role | 'removed' | undefined> {
  const { organization, user, role, way, invitedAt } = admission
  if (await readMembershipState(db, organization, user)) return undefined
  return admissionRole(way, role, await readDeparture(db, organization, user), invitedAt)
}

/**
 * Makes a person a member by a way in, where they may come in by it. Call it with the members of the organization
 * locked (`lockMembers`), so that no removal runs meanwhile.
 * @returns the role they have from now on; undefined where they had a membership, which stays as it is
 */
export async function admitMember(
  tx: Tx,
  admission: Admission,
  now: Date,
): Promise<Role | 'removed' | undefined> {
  const role = await previewAdmission(tx, admission)
  if (role === undefined || role === 'removed') return role
  const { organization, user } = admission
  await restoreMembership(tx, { organization, user, role }, now)
  return role
}
