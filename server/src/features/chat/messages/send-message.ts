import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { askChat, type ChatCallNeeds } from './chat-call.ts'

type Message = Reply<'sendMessage'>['body']

/** Sends a message, once for a `clientMessageId`. */
export async function sendMessage(
  needs: ChatCallNeeds,
  caller: CallerOf<'sendMessage'>,
  { conversationId, content, parentMessageId, clientMessageId }: Input<'sendMessage'>,
): Promise<Reply<'sendMessage'>> {
  const body = await askChat<Message>(needs, caller, 'send_message($1, $2, $3, $4)', [
    ...[conversationId, content, parentMessageId, clientMessageId],
  ])
  return { status: 201, body }
}
