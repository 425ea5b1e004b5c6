import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** Follows a thread, or stops following it. */
export async function followThread(
  needs: ChatCallNeeds,
  caller: CallerOf<'followThread'>,
  { messageId, follow }: Input<'followThread'>,
): Promise<Reply<'followThread'>> {
  await callChat(needs, caller, 'follow_thread($1, $2)', [messageId, follow])
  return { status: 204 }
}
