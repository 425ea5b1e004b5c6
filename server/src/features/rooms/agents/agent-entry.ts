import { findMember } from '../../../directory/members/members.ts'
import { readSettings } from '../../../directory/settings.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { noSuchRoom } from '../rules.ts'
import type { Room } from '../store.ts'

type Entered = Pick<Room, 'lockedAt' | 'sealed' | 'temporary'>

/**
 * Whether bots may come into a room now, beside what is asked of every member.
 * @throws Refusal forbidden, not-found, conflict
 */
export async function requireAgents(db: Db, organization: OrganizationId, room: Entered): Promise<void> {
  if (room.temporary) throw noSuchRoom()
  if (!(await readSettings(db, organization)).agents) throw Refusal.of('agents-off')
  if (room.lockedAt !== null) throw Refusal.of('room-locked')
  if (room.sealed) throw Refusal.of('room-sealed')
}

/** Whether a bot that has appeared in a room may stay: it may have taken its token before this was decided. */
export async function mayAgentBeInside(
  db: Db,
  organization: OrganizationId,
  { bot, room }: { bot: UserId; room: Omit<Entered, 'lockedAt'> },
): Promise<boolean> {
  if (room.temporary || room.sealed) return false
  const member = await findMember(db, organization, bot)
  return member?.isBot === true && (await readSettings(db, organization)).agents
}

/** The name that a bot has in rooms, as it has everywhere. @throws Refusal not-found */
export async function nameOfAgent(db: Db, organization: OrganizationId, bot: UserId): Promise<string> {
  const member = await findMember(db, organization, bot)
  if (!member) throw Refusal.of('bot-not-found')
  return member.displayName
}
