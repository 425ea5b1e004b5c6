import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { invalidInput } from '../../../platform/refusal.ts'
import { askChat, type ChatCallNeeds } from './chat-call.ts'

type Message = Reply<'sendMessage'>['body']

/** Sends a message, once for a `clientMessageId`: a text, files, or both. */
export async function sendMessage(
  needs: ChatCallNeeds,
  caller: CallerOf<'sendMessage'>,
  { conversationId, content, parentMessageId, clientMessageId, attachmentIds }: Input<'sendMessage'>,
): Promise<Reply<'sendMessage'>> {
  if (content === undefined && attachmentIds === undefined)
    throw invalidInput([{ field: 'content', message: 'A message needs a text or a file' }])
  const files = attachmentIds && `{${attachmentIds.join(',')}}`
  const body = await askChat<Message>(needs, caller, 'send_message($1, $2, $3, $4, $5)', [
    ...[conversationId, content, parentMessageId, clientMessageId, files],
  ])
  return { status: 201, body }
}
