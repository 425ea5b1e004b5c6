import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { ChatCallNeeds } from '../messages/chat-call.ts'
import { setReaction } from './reactions.ts'

/** Takes a reaction back. */
export async function removeReaction(
  needs: ChatCallNeeds,
  caller: CallerOf<'removeReaction'>,
  input: Input<'removeReaction'>,
): Promise<Reply<'removeReaction'>> {
  await setReaction(needs, caller, input, false)
  return { status: 204 }
}
