import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { momentInUtc } from '../../../platform/moment.ts'
import { askChat, type ChatCallNeeds } from './chat-call.ts'

type Message = Reply<'editMessage'>['body']

/** Changes the text of one's own message. */
export async function editMessage(
  needs: ChatCallNeeds,
  caller: CallerOf<'editMessage'>,
  { messageId, content, updatedAt }: Input<'editMessage'>,
): Promise<Reply<'editMessage'>> {
  const body = await askChat<Message>(needs, caller, 'edit_message($1, $2, $3)', [
    ...[messageId, content, updatedAt && momentInUtc(updatedAt)],
  ])
  return { status: 200, body }
}
