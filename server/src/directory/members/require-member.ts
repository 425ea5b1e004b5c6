import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseUserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findMember, type MemberRecord } from './members.ts'

/**
 * An active member by the id that a request names.
 * @throws Refusal not-found: also for people of other organizations, and for what is no id
 */
export async function requireMember(
  db: Db,
  organization: OrganizationId,
  userId: string,
): Promise<MemberRecord> {
  const id = parseUserId(userId)
  const member = id && (await findMember(db, organization, id))
  if (!member) throw Refusal.of('member-not-found')
  return member
}

/** A bot of an organization by the id that a request names. @throws Refusal not-found */
export async function requireBot(db: Db, organization: OrganizationId, botId: string): Promise<MemberRecord> {
  const id = parseUserId(botId)
  const member = id && (await findMember(db, organization, id))
  if (!member?.isBot) throw Refusal.of('bot-not-found')
  return member
}
