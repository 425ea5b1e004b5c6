import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** Chooses which messages of a conversation are announced to the caller. */
export async function setConversationLevel(
  needs: ChatCallNeeds,
  caller: CallerOf<'setConversationLevel'>,
  { conversationId, level }: Input<'setConversationLevel'>,
): Promise<Reply<'setConversationLevel'>> {
  await callChat(needs, caller, 'choose_of_conversation($1, $2, $3)', [conversationId, level, null])
  return { status: 204 }
}
