import { useConversations } from '@atrium/react'
import { useParams } from '@tanstack/react-router'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/state.tsx'
import { useChatWords } from '../words/chat.ts'
import { ConversationList } from './conversation-list.tsx'
import { ConversationPane, NoConversation } from './conversation-pane.tsx'
import './chat.css'

/** Conversations, and the one that is open beside them; in a small window one of the two. */
export function ChatScreen() {
  const words = useChatWords()
  const { conversationId } = useParams({ strict: false })
  const { rows } = useConversations()
  const id = Number(conversationId)
  const isOpen = Number.isSafeInteger(id) && id > 0
  const row = rows.find(({ conversation_id }) => conversation_id === id)
  return (
    <div className={classNames('chat', conversationId !== undefined && 'chat-open')}>
      <ConversationList openId={isOpen ? id : undefined} />
      {isOpen && <ConversationPane key={id} id={id} row={row} />}
      {!isOpen && conversationId !== undefined && <NoConversation />}
      {conversationId === undefined && (
        <section className="chat-nothing chat-unchosen" aria-label={words.conversation}>
          <EmptyState icon="chat" title={words.choose} />
        </section>
      )}
    </div>
  )
}
