import { type AuditEntry, OPERATOR, recordAudits } from '../../access/audit/audit-trail.ts'
import { changeRole, countAdmins, findMember } from '../../directory/members/members.ts'
import { listMembershipStates, restoreMembership } from '../../directory/members/memberships.ts'
import { searchMembers } from '../../directory/members/search-members.ts'
import { forgetMove } from '../../directory/moves.ts'
import { type OrganizationRef, undeleteOrganization } from '../../directory/organizations.ts'
import { findUserByEmail } from '../../directory/users.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseIdentityOrganizationId } from '../../platform/ids.ts'

/** The error that asks for an admin names so many members. */
const NAMED_MEMBERS = 10

/**
 * Brings a deleted organization back with all that it held; its people choose it again to work in it. For an
 * operator at the command line.
 * @param wanted admin: the address (normalized) of the new admin: a member, or any user where no member is left
 * @returns undefined where none of that id was deleted within the last 30 days
 * @throws Error with a message for the operator where it would have no admin: no member could appoint one
 */
export async function restoreOrganization(
  db: Db,
  wanted: { organizationId: string; admin?: string | undefined },
  now: Date,
): Promise<OrganizationRef | undefined> {
  const identityId = parseIdentityOrganizationId(wanted.organizationId)
  if (!identityId) return undefined
  return await transaction(db, async (tx) => {
    const restored = await undeleteOrganization(tx, identityId, now)
    if (!restored) return undefined
    await forgetMove(tx, restored.id)
    const appointment =
      wanted.admin === undefined ? undefined : await appoint(tx, restored, wanted.admin, now)
    if ((await countAdmins(tx, restored.id)) === 0) throw await withoutAdmin(tx, restored)
    const entries: AuditEntry[] = [
      { action: 'organization.restored', target: { kind: 'organization', id: identityId } },
      ...(appointment ? [appointment] : []),
    ]
    await recordAudits(tx, restored.id, OPERATOR, now, entries)
    return restored
  })
}

/** @returns what belongs into the audit trail; undefined where they are an admin already */
async function appoint(
  tx: Tx,
  { id, identityId }: OrganizationRef,
  email: string,
  now: Date,
): Promise<AuditEntry | undefined> {
  const user = await findUserByEmail(tx, email)
  if (!user) throw new Error(`${email} has no account`)
  const target = { kind: 'user', id: user.id } as const
  const member = await findMember(tx, id, user.id)
  if (member?.role === 'admin') return undefined
  if (member) {
    await changeRole(tx, id, user.id, 'admin', now)
    return { action: 'member.role-changed', target, detail: { from: member.role, to: 'admin' } }
  }
  // a stranger is let in only where there are no members to keep it from
  if ((await listMembershipStates(tx, id)).size > 0) throw new Error(`${email} is no member of ${identityId}`)
  await restoreMembership(tx, { organization: id, user: user.id, role: 'admin' }, now)
  return { action: 'member.joined', target, detail: { role: 'admin', way: 'operator' } }
}

async function withoutAdmin(tx: Tx, { id, identityId }: OrganizationRef): Promise<Error> {
  const { members, total } = await searchMembers(tx, id, { query: '', limit: NAMED_MEMBERS, offset: 0 })
  if (total === 0)
    return new Error(
      `Nobody is left in ${identityId}. Say who becomes its admin, somebody who has an account: --admin <email>`,
    )
  const names = members.map(({ email }) => email).join(', ')
  const more = total > members.length ? ` and ${total - members.length} more` : ''
  return new Error(
    `${identityId} has no admin any more. Say which member becomes one: --admin <email>. Members: ${names}${more}`,
  )
}
