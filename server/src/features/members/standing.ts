import type { MemberCaller } from '../../access/caller.ts'
import { countAdmins, findMember, lockMembers, type MemberRecord } from '../../directory/members/members.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Tx } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { memberRefusal, type Standing } from './rules.ts'

/**
 * The member that an operation is about and how things stand between them and the caller, with the organization
 * locked: a decision by this still holds when the transaction commits.
 * @throws Refusal not-found; conflict where it is a bot; forbidden where the caller has lost the organization meanwhile
 */
export async function lockStanding(
  tx: Tx,
  caller: MemberCaller,
  memberId: string,
): Promise<{ member: MemberRecord; standing: Standing }> {
  const organization = caller.organization.id
  const isThere = await lockMembers(tx, organization)
  const actor = isThere ? await findMember(tx, organization, caller.user.id) : undefined
  if (!actor) throw memberRefusal('not-allowed')
  const member = await requireMember(tx, organization, memberId)
  if (member.isBot) throw Refusal.of('is-a-bot')
  const admins = await countAdmins(tx, organization)
  return { member, standing: { actor: actor.role, target: member.role, admins } }
}
