import type { Permission } from '@atrium/contract'
import { lockMembers } from '../directory/members/members.ts'
import { listActiveMemberships, type MembershipRecord } from '../directory/members/memberships.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { Refusal } from '../platform/refusal.ts'
import type { SignedInCaller } from './caller.ts'
import { requirePermission } from './permissions.ts'
import { reaches } from './sessions/sign-on-reach.ts'

/**
 * The organization that a caller names, where it is one of their own and their session reaches it.
 * @throws Refusal not-found for any other one, forbidden where their role in it lacks the permission
 */
export async function requireOwnOrganization(
  db: Db,
  caller: SignedInCaller,
  organizationId: string,
  permission?: Permission,
): Promise<MembershipRecord> {
  const memberships = await listActiveMemberships(db, caller.user.id)
  const own = memberships.find((membership) => membership.organizationIdentityId === organizationId)
  if (!own || !(await reaches(db, caller, own.organizationId))) {
    throw Refusal.of('organization-not-found')
  }
  if (permission) requirePermission(own.role, permission)
  return own
}

/**
 * The same, with the organization locked against every other change of its members until the transaction ends, and
 * the role as it is then.
 */
export async function lockOwnOrganization(
  tx: Tx,
  caller: SignedInCaller,
  organizationId: string,
  permission: Permission,
): Promise<MembershipRecord> {
  const own = await requireOwnOrganization(tx, caller, organizationId, permission)
  await lockMembers(tx, own.organizationId)
  return await requireOwnOrganization(tx, caller, organizationId, permission)
}
