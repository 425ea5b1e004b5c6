import type { ChatMessage, Conversation, ConversationRow } from '@atrium/client/chat'
import { useEffect, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { useChatWords } from '../words/chat.ts'
import { Closed, useClosed } from './closed.tsx'
import { useMentionables } from './composer/mentionables.ts'
import { Composer } from './composer.tsx'
import { useEditing } from './message/editing.ts'
import { threadMessages } from './message-groups.ts'
import { MessageList } from './message-list.tsx'
import { FollowToggle } from './threads/follow-toggle.tsx'

interface ThreadProps {
  conversation: Conversation
  row: ConversationRow | undefined
  messages: readonly ChatMessage[]
  parentId: number
  onClose(): void
}

/** A message and what was answered to it, beside the conversation. */
export function Thread({ conversation, row, messages, parentId, onClose }: ThreadProps) {
  const words = useChatWords()
  const replies = useReplies(conversation, parentId)
  const shown = threadMessages(messages, replies, parentId)
  const editing = useEditing(shown)
  const members = useMentionables(row, messages)
  const closedBy = useClosed(row)
  const draftKey = `thread-${parentId}`
  return (
    <aside
      className="thread"
      aria-label={words.thread}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header className="chat-pane-head">
        <h2 className="chat-title">{words.thread}</h2>
        <FollowToggle parentId={parentId} />
        <IconButton icon="close" label={words.closeThread} onPress={onClose} />
      </header>
      <MessageList
        messages={shown}
        tools={{ conversation, row, isClosed: closedBy !== undefined, editing, members }}
      />
      {row && closedBy ? (
        <Closed {...{ row, draftKey }} by={closedBy} />
      ) : (
        <Composer
          draftKey={draftKey}
          members={members}
          label={words.answer}
          autoFocus
          onEditLast={editing.beginLast}
          onType={conversation.tellTyping}
          filesOf={conversation}
          onSend={(content, attachments) =>
            void conversation.send(content, { parentMessageId: parentId, attachments })
          }
        />
      )}
    </aside>
  )
}

/** The answers that are not among what the conversation shows: older ones. */
function useReplies(conversation: Conversation, parentId: number): readonly ChatMessage[] {
  const [replies, setReplies] = useState<readonly ChatMessage[]>([])
  useEffect(() => {
    let isWanted = true
    conversation.replies(parentId).then(
      (found) => isWanted && setReplies(found),
      // those of the conversation are shown in any case
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [conversation, parentId])
  return replies
}
