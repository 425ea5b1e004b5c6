import type { ChatMessage, Conversation, ConversationRow, Reaction } from '@atrium/client/chat'
import { usePeople } from '@atrium/react'
import { useChatWords } from '../../words/chat.ts'
import { localeNow } from '../../words/language.ts'
import { senderOf } from '../conversation-names.ts'
import { useOwnId } from './own-id.ts'

interface ReactionsProps {
  conversation: Conversation
  row: ConversationRow | undefined
  isClosed: boolean
  message: ChatMessage
}

/** What people reacted with, and how many; pressed is what one has added oneself. */
export function Reactions({ conversation, row, isClosed, message }: ReactionsProps) {
  const { tools: words } = useChatWords()
  const { message_id: id, reactions } = message
  if (reactions.length === 0 || id === undefined) return null
  return (
    <ul className="reactions-of-message" aria-label={words.reactions}>
      {reactions.map((reaction) => (
        <li key={reaction.emoji}>
          <Chip
            {...{ reaction, row, isClosed }}
            onPress={() => void conversation.react(id, reaction.emoji, !reaction.mine)}
          />
        </li>
      ))}
    </ul>
  )
}

interface ChipProps {
  reaction: Reaction
  row: ConversationRow | undefined
  isClosed: boolean
  onPress(): void
}

function Chip({ reaction: { emoji, count, mine, userIds }, row, isClosed, onPress }: ChipProps) {
  const words = useChatWords()
  const { people } = usePeople()
  const ownId = useOwnId()
  const names = userIds.map((id) => (id === ownId ? words.you : senderOf(id, people, row, words).name))
  const more = count - names.length
  const list = new Intl.ListFormat(localeNow()).format(
    more > 0 ? [...names, words.tools.others(more)] : names,
  )
  return (
    <button
      type="button"
      className="reaction-chip"
      // one’s own can be taken back
      disabled={isClosed && !mine}
      aria-pressed={mine}
      data-names={list}
      onClick={onPress}
    >
      <span>{emoji}</span> <span>{count}</span>
      <span className="visually-hidden">{list}</span>
    </button>
  )
}
