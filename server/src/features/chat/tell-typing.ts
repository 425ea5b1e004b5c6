import type { Input, Reply } from '@atrium/contract'
import { sql } from 'kysely'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { TypingHints } from './typing-hints.ts'

interface Needs {
  db: Db
  typingHints: TypingHints
}

/** Tells the other members of a conversation that the caller writes. Who appears offline gives no sign of being there. */
export async function tellTyping(
  { db, typingHints }: Needs,
  { user, organization }: CallerOf<'tellTyping'>,
  { conversationId }: Input<'tellTyping'>,
): Promise<Reply<'tellTyping'>> {
  const typing = { conversationId, userId: user.id }
  // they were a member two seconds ago, and are one of the organization now
  if (typingHints.isTooSoon(typing)) return { status: 204 }
  const { rows } = await sql<{ channels: string[] | null; closed: string | null }>`
    select chat_typing_channels(${organization.id}, ${user.id}, ${conversationId}) as channels,
      (select conversation_closed(c) from conversations c where c.conversation_id = ${conversationId}) as closed`.execute(
    db,
  )
  const { channels, closed } = rows[0] ?? {}
  if (!channels) throw Refusal.of('conversation-not-found')
  if (closed) throw Refusal.of('conversation-closed', { message: closed })
  typingHints.tell(typing, channels)
  return { status: 204 }
}
