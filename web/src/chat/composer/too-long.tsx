import { useChatWords } from '../../words/chat.ts'
import { charactersOver } from './characters-over.ts'

/** How much of a text has to go before it is a message: what is pasted stays whole until then. */
export function TooLong({ text }: { text: string }) {
  const words = useChatWords()
  const over = charactersOver(text)
  return (
    <p role="status" className="composer-too-long">
      {over > 0 && words.tooLong(over)}
    </p>
  )
}
