import type { Role } from '@atrium/contract'
import { admissionRole } from '../../../access/admission.ts'
import {
  type AuditAuthor,
  type AuditEntry,
  type AuditTarget,
  recordAttempt,
} from '../../../access/audit/audit-trail.ts'
import { lowerRole } from '../../../access/permissions.ts'
import { deactivateOrganization, revokeSessionsOf } from '../../../access/sessions/session-endings.ts'
import { readDeparture } from '../../../directory/members/departures.ts'
import { changeRole, countAdmins, removeMembership } from '../../../directory/members/members.ts'
import { restoreMembership } from '../../../directory/members/memberships.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'
import { revokeInvitationsOf } from '../../invitations/reads.ts'
import { ScimFault } from '../protocol/faults.ts'
import { roleByGroups } from '../rules.ts'
import { readRoleStandings } from './group-store.ts'
import { type DirectoryPerson, isElsewhere, keepRoleByHand } from './user-store.ts'

/** Of users who come by a directory, and are in no group that says otherwise. */
export const DEFAULT_ROLE: Role = 'member'

const target = (id: string): AuditTarget => ({ kind: 'user', id })

/**
 * Ends a membership, and with it what was minted from it. A user without another organization is signed out everywhere;
 * one directory must not end the sign-ins of the others. With the members locked.
 * @returns what belongs into the audit trail
 */
export async function deactivate(
  tx: Tx,
  organization: OrganizationId,
  person: DirectoryPerson,
  now: Date,
): Promise<AuditEntry[]> {
  const { membership, id } = person
  // one that the identity provider has put to sleep is its to take away
  if (membership?.status !== 'active') return []
  const [standing] = await readRoleStandings(tx, organization, [id])
  // what groups gave beyond it does not outlive them
  const role = standing?.roleByHand ?? standing?.role ?? membership.role
  await removeMembership(tx, organization, id, { kind: 'removed', removedBy: 'directory', role }, now)
  await requireAdmins(tx, organization, membership.role === 'admin')
  await deactivateOrganization(tx, organization, [id])
  if (!(await isElsewhere(tx, organization, id))) await revokeSessionsOf(tx, id, now)
  const revokedInvitations = await revokeInvitationsOf(tx, organization, person, now)
  const detail = { role: membership.role, revokedInvitations }
  return [{ action: 'member.removed', target: target(id), detail }]
}

/**
 * Makes a user a member who was none, or gives back what a directory has taken away. With the members locked, and once
 * the directory's word of them is written down.
 * @returns what belongs into the audit trail; `kept-out` where they were removed by others: that is written down, do not
 * roll it back
 */
export async function activate(
  tx: Tx,
  organization: OrganizationId,
  {
    person,
    author,
  }: { person: { id: UserId; membership: DirectoryPerson['membership'] }; author: AuditAuthor },
  now: Date,
): Promise<AuditEntry[] | 'kept-out'> {
  const { id } = person
  const departure = await readDeparture(tx, organization, id)
  const [standing] = await readRoleStandings(tx, organization, [id])
  const byHand = standing?.roleByHand ?? departure?.role ?? DEFAULT_ROLE
  const admitted = admissionRole('directory', byHand, departure)
  // one that the identity provider has put to sleep is its to wake
  if (admitted === 'removed' || person.membership) {
    const reason = person.membership ? 'inactive' : 'removed'
    await recordAttempt(tx, organization, author, now, {
      action: 'member.join-refused',
      target: target(id),
      detail: { way: 'directory', reason },
    })
    return 'kept-out'
  }
  const role = roleByGroups(admitted, standing?.groupRoles ?? [])
  await restoreMembership(tx, { organization, user: id, role }, now)
  await keepRoleByHand(tx, organization, id, role === admitted ? null : admitted)
  return [{ action: 'member.joined', target: target(id), detail: { role, way: 'directory' } }]
}

/**
 * Gives people the roles that their groups say. With the members locked.
 * @param atMost what they have without groups is no more than this
 * @returns what belongs into the audit trail
 * @throws ScimFault 409 where no admin would be left
 */
export async function followGroups(
  tx: Tx,
  organization: OrganizationId,
  users: readonly UserId[],
  now: Date,
  atMost?: Role,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let lostAdmin = false
  for (const { user, role, roleByHand, groupRoles } of await readRoleStandings(tx, organization, users)) {
    if (role === null) continue
    const before = roleByHand ?? role
    const byHand = atMost === undefined ? before : lowerRole(before, atMost)
    const due = roleByGroups(byHand, groupRoles)
    if (due !== role) {
      await changeRole(tx, organization, user, due, now)
      lostAdmin ||= role === 'admin'
      entries.push({ action: 'member.role-changed', target: target(user), detail: { from: role, to: due } })
    }
    await keepRoleByHand(tx, organization, user, due === byHand ? null : byHand)
  }
  await requireAdmins(tx, organization, lostAdmin)
  return entries
}

async function requireAdmins(tx: Tx, organization: OrganizationId, lostAdmin: boolean): Promise<void> {
  if (!lostAdmin || (await countAdmins(tx, organization)) > 0) return
  throw new ScimFault(
    409,
    'An organization must have at least one admin: make somebody else one first',
    undefined,
    'last-admin',
  )
}
