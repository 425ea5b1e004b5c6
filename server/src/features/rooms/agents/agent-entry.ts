import { findMember } from '../../../directory/members/members.ts'
import { readSettings } from '../../../directory/settings.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { noSuchRoom } from '../rules.ts'
import type { Room } from '../store.ts'

type Entered = Pick<Room, 'lockedAt' | 'sealed' | 'agentDispatch' | 'temporary'>

/**
 * Whether bots may come into a room now, beside what is asked of every member.
 * @throws Refusal forbidden, not-found, conflict
 */
export async function requireAgents(db: Db, organization: OrganizationId, room: Entered): Promise<void> {
  const refusal = await refusalOfAgents(db, organization, room)
  if (refusal) throw refusal
}

/** The same as an answer. */
export async function admitsAgents(db: Db, organization: OrganizationId, room: Entered): Promise<boolean> {
  return (await refusalOfAgents(db, organization, room)) === undefined
}

async function refusalOfAgents(
  db: Db,
  organization: OrganizationId,
  { temporary, agentDispatch, lockedAt, sealed }: Entered,
): Promise<Refusal | undefined> {
  if (temporary) return noSuchRoom()
  if (!(await readSettings(db, organization)).agents) return Refusal.of('agents-off')
  if (agentDispatch === 'none')
    return Refusal.of('agents-off', { message: 'No programs are let into this room' })
  if (lockedAt !== null) return Refusal.of('room-locked')
  return sealed ? Refusal.of('room-sealed') : undefined
}

/**
 * Whether a bot that has appeared in a room may stay: it may have taken its token before this was decided. Whether it was
 * there before a lock is looked at where it is for everybody.
 */
export async function mayAgentBeInside(
  db: Db,
  organization: OrganizationId,
  { bot, room }: { bot: UserId; room: Entered },
): Promise<boolean> {
  const member = await findMember(db, organization, bot)
  return member?.isBot === true && (await admitsAgents(db, organization, { ...room, lockedAt: null }))
}

/** The name that a bot has in rooms, as it has everywhere. @throws Refusal not-found */
export async function nameOfAgent(db: Db, organization: OrganizationId, bot: UserId): Promise<string> {
  const member = await findMember(db, organization, bot)
  if (!member) throw Refusal.of('bot-not-found')
  return member.displayName
}
