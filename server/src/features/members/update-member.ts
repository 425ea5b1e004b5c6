import type { Input, Reply, Role } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf, MemberCaller } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { type PresenceOf, toMemberView } from '../../directory/members/member-view.ts'
import { changeRole, type MemberRecord } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { faultOfRoleChange, memberRefusal } from './rules.ts'
import { lockStanding } from './standing.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
  presenceOf: PresenceOf
  imageBaseUrl: string
}

/** Gives a member another role; it holds for their next request. */
export async function updateMember(
  needs: Needs,
  caller: CallerOf<'updateMember'>,
  input: Input<'updateMember'>,
): Promise<Reply<'updateMember'>> {
  const { member, presence } = await transaction(needs.db, async (tx) => {
    const member = await giveRole(tx, needs, caller, input.id, input.role)
    const as = { viewer: caller.user.id, now: needs.clock.now() }
    return {
      member,
      presence: await needs.presenceOf(tx, caller.organization.id, [member.id], as),
    }
  })
  needs.callers.forget(member.id)
  return { status: 200, body: toMemberView(member, presence, needs.imageBaseUrl) }
}

/** The earlier path. */
export async function updateMembershipUser(
  needs: Needs,
  caller: CallerOf<'updateMembershipUser'>,
  input: Input<'updateMembershipUser'>,
): Promise<Reply<'updateMembershipUser'>> {
  return await updateMember(needs, caller, { id: input.userId, role: input.role })
}

async function giveRole(
  tx: Tx,
  needs: Pick<Needs, 'clock'>,
  caller: MemberCaller,
  memberId: string,
  role: Role,
): Promise<MemberRecord> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const { member, standing } = await lockStanding(tx, caller, memberId)
  const fault = faultOfRoleChange(standing, role)
  if (fault) throw memberRefusal(fault)
  if (member.role === role) return member
  await changeRole(tx, organization, member.id, role, now)
  await recordAudit(tx, organization, caller, now, {
    action: 'member.role-changed',
    target: { kind: 'user', id: member.id },
    detail: { from: member.role, to: role },
  })
  return { ...member, role }
}
