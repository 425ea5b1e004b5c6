import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { ChatCallNeeds } from '../messages/chat-call.ts'
import { setReaction } from './reactions.ts'

/** Reacts to a message. */
export async function addReaction(
  needs: ChatCallNeeds,
  caller: CallerOf<'addReaction'>,
  input: Input<'addReaction'>,
): Promise<Reply<'addReaction'>> {
  await setReaction(needs, caller, input, true)
  return { status: 204 }
}
