import { invalidInput } from '../../../platform/refusal.ts'
import { type ChatCaller, type ChatCallNeeds, callChat } from '../messages/chat-call.ts'

/** The list of Unicode, as the engine has it. */
const ONE_EMOJI = /^\p{RGI_Emoji}$/v

interface Reaction {
  messageId: number
  emoji: string
}

/** Adds a reaction of the caller, or takes it back. @throws Refusal */
export async function setReaction(
  needs: ChatCallNeeds,
  caller: ChatCaller,
  { messageId, emoji }: Reaction,
  isAdded: boolean,
): Promise<void> {
  if (!ONE_EMOJI.test(emoji)) throw invalidInput([{ field: 'emoji', message: 'React with one emoji' }])
  await callChat(needs, caller, 'set_reaction($1, $2, $3)', [messageId, emoji, isAdded])
}
