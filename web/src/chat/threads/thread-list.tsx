import type { ThreadRow } from '@atrium/client/chat'
import { useChat, useConversations, usePeople, useThreads } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { officeNow } from '../../live/office-client.ts'
import { plainText } from '../../live/text/plain-text.ts'
import { Failed } from '../../shell/failed.tsx'
import { timeOf } from '../../shell/status/status-words.ts'
import { EmptyState, Loading } from '../../ui/state.tsx'
import { useChatWords } from '../../words/chat.ts'
import { nameOf, senderOf } from '../conversation-names.ts'
import { inShort } from '../message-groups.ts'
import { useMentionName } from '../text/mention-name.ts'
import { Count } from './count.tsx'

/** The threads that the person follows, in the place of the conversations. */
export function ThreadList() {
  const { threads: words } = useChatWords()
  const chat = useChat()
  const { list, loaded, error } = useThreads()
  if (!loaded && error !== undefined)
    return <Failed title={words.failed} onAgain={async () => await chat?.threads.refresh()} />
  if (!loaded) return <Loading label={words.loading} />
  if (list.length === 0)
    return (
      <EmptyState icon="reply" title={words.none}>
        <p>{words.noneAbout}</p>
      </EmptyState>
    )
  return (
    <nav aria-label={words.title}>
      <ul className="chat-rows">
        {list.map((thread) => (
          <Row key={thread.message.message_id} thread={thread} />
        ))}
      </ul>
    </nav>
  )
}

function Row({ thread: { message, replies, unread, lastReplyAt } }: { thread: ThreadRow }) {
  const words = useChatWords()
  const { people } = usePeople()
  const { rows } = useConversations()
  const mentionName = useMentionName()
  const { message_id: id, conversation_id: conversation, content, is_deleted, sender_id, guest } = message
  const row = rows.find(({ conversation_id }) => conversation_id === conversation)
  const { name } = senderOf(String(sender_id), people, row, words, guest)
  return (
    <li>
      <Link
        to={pagePaths.conversation}
        params={{ conversationId: String(conversation) }}
        state={{ message: id, thread: id }}
        className="chat-row"
      >
        <span className="chat-row-text">
          <span className="chat-title">
            {name} {row && <span className="soft">{words.search.in(nameOf(row, words))}</span>}
          </span>
          <span className="chat-about">
            {is_deleted ? words.deleted : inShort(plainText(content, mentionName))}
          </span>
          <span className="chat-about">{words.replies(replies)}</span>
        </span>
        <span className="chat-row-after">
          {lastReplyAt !== null && <time dateTime={lastReplyAt}>{timeOf(lastReplyAt, officeNow())}</time>}
          {unread > 0 && <Count of={unread} says={words.threads.unread(unread)} />}
        </span>
      </Link>
    </li>
  )
}
