import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../../platform/cursor.ts'
import { parseInternalId } from '../../../platform/ids.ts'
import { askChat, type ChatCallNeeds } from '../messages/chat-call.ts'

const LIMIT = 20

type Listed = Pick<Reply<'listConversations'>['body'], 'conversations'>

/** A page of the caller's conversations, the one that moved last first. */
export async function listConversations(
  needs: ChatCallNeeds,
  caller: CallerOf<'listConversations'>,
  { limit = LIMIT, cursor: given }: Input<'listConversations'>,
): Promise<Reply<'listConversations'>> {
  const from = given === undefined ? undefined : decodeCursor(given, 'cursor')
  if (from && parseInternalId(from.id) === undefined) throw invalidCursor('cursor')
  const { conversations: found } = await askChat<Listed>(needs, caller, 'list_conversations($1, $2, $3)', [
    ...[limit, from?.at.toISOString(), from?.id],
  ])
  const conversations = found.slice(0, limit)
  const last = conversations.at(-1)
  const cursor =
    found.length > limit && last
      ? encodeCursor({ at: new Date(last.updatedAt), id: String(last.conversationId) })
      : null
  return { status: 200, body: { conversations, cursor } }
}
