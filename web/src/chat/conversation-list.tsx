import type { ConversationRow } from '@atrium/client/chat'
import { useConversations, useOffice, usePeople } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { officeNow } from '../live/office-client.ts'
import { useSession } from '../live/use-session.ts'
import { Failed } from '../shell/failed.tsx'
import { dotOf, timeOf } from '../shell/status/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState, Loading } from '../ui/state.tsx'
import { useChatWords } from '../words/chat.ts'
import { idOf, nameOf, pictureOf } from './conversation-names.ts'
import { NewConversation } from './new-conversation.tsx'

export function ConversationList({ openId }: { openId: number | undefined }) {
  const words = useChatWords()
  const office = useOffice()
  const { rows, loaded, error } = useConversations()
  const [isNew, setIsNew] = useState(false)
  const failed = !loaded && error !== undefined
  return (
    <section className="chat-list" aria-label={words.conversations}>
      <PageHeading title={words.title}>
        <Button icon="plus" small onPress={() => setIsNew(true)}>
          {words.newShort}
        </Button>
      </PageHeading>
      {failed && (
        <Failed
          title={words.failed}
          onAgain={async () => await office.get().present?.chat.conversations.refresh()}
        />
      )}
      {!loaded && !failed && <Loading label={words.loading} />}
      {loaded && rows.length === 0 && (
        <EmptyState icon="chat" title={words.none}>
          <p>{words.noneAbout}</p>
        </EmptyState>
      )}
      <nav aria-label={words.conversations}>
        <ul className="chat-rows">
          {rows.map((row) => (
            <Row key={row.conversation_id} row={row} isOpen={row.conversation_id === openId} />
          ))}
        </ul>
      </nav>
      <NewConversation isOpen={isNew} onClose={() => setIsNew(false)} />
    </section>
  )
}

function Row({ row, isOpen }: { row: ConversationRow; isOpen: boolean }) {
  const words = useChatWords()
  const { people } = usePeople()
  const name = nameOf(row, words)
  const peer = row.type === 'DM' ? people.find(({ id }) => id === String(row.peer_user_id)) : undefined
  const { unread_count, last_message_at, last_message_content, last_message_sender } = row
  const session = useSession()
  const isOwn = session.state === 'signed-in' && session.user.id === String(last_message_sender)
  return (
    <li>
      <Link
        to={pagePaths.conversation}
        params={{ conversationId: String(row.conversation_id) }}
        className="chat-row"
        aria-current={isOpen ? 'page' : undefined}
      >
        {row.type === 'ROOM' ? (
          <span className="chat-row-room">
            <Icon name="floor" size={18} />
          </span>
        ) : (
          <Avatar id={idOf(row)} name={name} url={pictureOf(row)} status={peer && dotOf(peer.status)} />
        )}
        <span className="chat-row-text">
          <span className="chat-title">{name}</span>
          <span className="chat-about">
            {isOwn && `${words.you}: `}
            {last_message_content ?? words.nothingYet}
          </span>
        </span>
        <span className="chat-row-after">
          {last_message_at !== null && (
            <time dateTime={last_message_at}>{timeOf(last_message_at, officeNow())}</time>
          )}
          {unread_count > 0 && (
            <span className="shell-count">
              <span aria-hidden="true">{unread_count > 99 ? '99+' : unread_count}</span>
              <span className="visually-hidden">{words.unread(unread_count)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
