import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { askChat, type ChatCallNeeds } from '../messages/chat-call.ts'

const LIMIT = 20

/** A page of the threads that the caller follows, the one with the newest reply first; or one thread. */
export async function listThreads(
  needs: ChatCallNeeds,
  caller: CallerOf<'listThreads'>,
  { messageId, before, limit = LIMIT }: Input<'listThreads'>,
): Promise<Reply<'listThreads'>> {
  const body = await askChat<Reply<'listThreads'>['body']>(needs, caller, 'list_threads($1, $2, $3)', [
    ...[messageId, before, limit],
  ])
  return { status: 200, body }
}
