import { sql } from 'kysely'
import type { OrganizationId } from '../../../platform/ids.ts'
import { addMembers } from './imported-conversations.ts'
import type { OneConnection } from './staged-messages.ts'

/** What becomes of people of an export who were no members here when it was imported before, and are now. */
export interface JoinedSince {
  /** How many come to a conversation that is there. */
  joined: number
  /** How many messages were under their names alone, and are theirs. */
  given: number
}

/** A conversation that an earlier import has made. */
export interface There {
  /** The place of the conversation in the stage. */
  place: number
  conversationId: string
  people: readonly string[]
}

export async function countJoined(
  db: OneConnection,
  { place, conversationId, people }: There,
): Promise<JoinedSince> {
  const { rows } = await sql<JoinedSince>`
    select (select count(*)::int from unnest(${people}::bigint[]) one where not exists (select from conversation_members cm
        where cm.conversation_id = ${conversationId} and cm.user_id = one)) as joined,
      (select count(*)::int from staged_messages s join messages m on m.message_id = s.message_id
        where s.conversation = ${place} and s.sender is not null and m.guest_id is not null) as given`.execute(
    db,
  )
  return rows[0] ?? { joined: 0, given: 0 }
}

/** They come to the conversation, have read it, and what they wrote is theirs. `atrium.importing` is on. */
export async function letJoin(
  db: OneConnection,
  organization: OrganizationId,
  { place, conversationId, people }: There,
): Promise<void> {
  const joined = await addMembers(db, organization, conversationId, people)
  await sql`
    update conversation_members set last_read_message_id = (
      select max(m.message_id) from messages m where m.conversation_id = ${conversationId})
    where conversation_id = ${conversationId} and user_id = any(${joined}::bigint[])`.execute(db)
  await sql`
    update messages m set sender_id = s.sender, guest_id = null, guest_name = null
    from staged_messages s
    where s.conversation = ${place} and s.sender is not null and m.message_id = s.message_id and m.guest_id is not null`.execute(
    db,
  )
}
