import type { MemberCaller } from '../../access/caller.ts'
import type { MemberRecord } from '../../directory/members/members.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { presenceOf } from '../presence/reads.ts'

/** A colleague of the caller, who is neither the caller nor a bot. @throws Refusal invalid, not-found */
export async function requireColleague(db: Db, caller: MemberCaller, userId: string): Promise<MemberRecord> {
  if (userId === caller.user.id)
    throw invalidInput([{ field: 'userId', message: 'Choose somebody else than yourself' }])
  const member = await requireMember(db, caller.organization.id, userId)
  if (member.isBot) throw Refusal.of('member-not-found')
  return member
}

/** Whether a knock may disturb a person now. Busy, offline and hidden people read alike. */
export async function isReachable(db: Db, organization: OrganizationId, user: UserId): Promise<boolean> {
  const presence = await presenceOf(db, organization, [user])
  return ['online', 'away'].includes(presence.get(user) ?? 'offline')
}
