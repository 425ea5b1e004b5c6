import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** Marks a conversation as unread from a message on. */
export async function markUnread(
  needs: ChatCallNeeds,
  caller: CallerOf<'markUnread'>,
  { conversationId, messageId }: Input<'markUnread'>,
): Promise<Reply<'markUnread'>> {
  await callChat(needs, caller, 'mark_unread($1, $2)', [conversationId, messageId])
  return { status: 204 }
}
