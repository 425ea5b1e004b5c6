import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** Marks a conversation as read up to a message. */
export async function markRead(
  needs: ChatCallNeeds,
  caller: CallerOf<'markRead'>,
  { conversationId, messageId }: Input<'markRead'>,
): Promise<Reply<'markRead'>> {
  await callChat(needs, caller, 'mark_read($1, $2)', [conversationId, messageId])
  return { status: 204 }
}
