import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** Keeps what the caller has begun to write. */
export async function setDraft(
  needs: ChatCallNeeds,
  caller: CallerOf<'setDraft'>,
  { conversationId, content }: Input<'setDraft'>,
): Promise<Reply<'setDraft'>> {
  await callChat(needs, caller, 'choose_of_conversation($1, $2, $3)', [conversationId, null, content])
  return { status: 204 }
}
