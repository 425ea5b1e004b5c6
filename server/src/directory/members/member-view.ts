import type { Member } from '@atrium/contract'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { avatarUrlOf } from '../image-urls.ts'
import type { MemberRecord } from './members.ts'

/** A member's presence as others see it, and their activity. */
export type ShownPresence = Pick<Member, 'presenceStatus' | 'activity' | 'roomId' | 'note' | 'until'>

/** Who looks, and when: a member always sees their own note, and others see it until its end. */
export interface MemberViewer {
  /** Undefined: no person. */
  viewer: UserId | undefined
  now: Date
}

/** How people of an organization appear to the others. Who is not in the answer is offline. */
export type PresenceOf = (
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
  as: MemberViewer,
) => Promise<Map<UserId, ShownPresence>>

/** A member as `Member` of the contract. */
export function memberView(member: MemberRecord, presence: ShownPresence, imageBaseUrl: string): Member {
  return {
    id: member.id,
    displayName: member.displayName,
    avatarUrl: avatarUrlOf(member.avatarKey, imageBaseUrl) ?? '',
    email: member.isBot ? '' : member.email,
    role: member.role,
    ...(member.isBot ? { isBot: true as const } : {}),
    ...(member.timeZone === null ? {} : { timeZone: member.timeZone }),
    presenceUserId: member.identityId,
    ...presence,
  }
}

/** The same, where presence was asked apart. */
export function toMemberView(
  member: MemberRecord,
  presence: ReadonlyMap<UserId, ShownPresence>,
  imageBaseUrl: string,
): Member {
  return memberView(member, presence.get(member.id) ?? { presenceStatus: 'offline' }, imageBaseUrl)
}
