import type { ConversationRow } from '@atrium/client/chat'
import { useConversationChoices, useConversations, useOffice, usePeople } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { officeNow } from '../live/office-client.ts'
import { plainText } from '../live/text/plain-text.ts'
import { Failed } from '../shell/failed.tsx'
import { StatusWord } from '../shell/status/status-word.tsx'
import { dotOf, timeOf } from '../shell/status/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState, Loading } from '../ui/state.tsx'
import { useChatWords } from '../words/chat.ts'
import { idOf, nameOf, pictureOf } from './conversation-names.ts'
import { useOwnId } from './message/own-id.ts'
import { NewConversation } from './new-conversation.tsx'
import { ChatSearch } from './search/chat-search.tsx'
import { useMentionName } from './text/mention-name.ts'
import { Count } from './threads/count.tsx'
import { ThreadList } from './threads/thread-list.tsx'
import { ThreadsButton } from './threads/threads-button.tsx'

export function ConversationList({ openId }: { openId: number | undefined }) {
  const words = useChatWords()
  const office = useOffice()
  const { rows, loaded, error } = useConversations()
  const [isNew, setIsNew] = useState(false)
  const [search, setSearch] = useState('')
  const [showsThreads, setShowsThreads] = useState(false)
  const isSearching = search.trim() !== ''
  const failed = !loaded && error !== undefined
  return (
    <section className="chat-list" aria-label={words.conversations}>
      <PageHeading title={words.title}>
        <Button icon="plus" small onPress={() => setIsNew(true)}>
          {words.newShort}
        </Button>
      </PageHeading>
      <ChatSearch text={search} onText={setSearch} />
      <ThreadsButton isShown={showsThreads} onPress={() => setShowsThreads(!showsThreads)} />
      {showsThreads && !isSearching && <ThreadList />}
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
      <nav aria-label={words.conversations} hidden={isSearching || showsThreads}>
        <Rows rows={rows} openId={openId} />
      </nav>
      <NewConversation isOpen={isNew} onClose={() => setIsNew(false)} />
    </section>
  )
}

/** So many are drawn at first, and by each press. */
const DRAWN = 50

function Rows({ rows, openId }: { rows: readonly ConversationRow[]; openId: number | undefined }) {
  const { search: words } = useChatWords()
  const [drawn, setDrawn] = useState(DRAWN)
  return (
    <>
      <ul className="chat-rows">
        {rows.slice(0, drawn).map((row) => (
          <Row key={row.conversation_id} row={row} isOpen={row.conversation_id === openId} />
        ))}
      </ul>
      {rows.length > drawn && (
        <Button small look="quiet" wide onPress={() => setDrawn(drawn + DRAWN)}>
          {words.more}
        </Button>
      )}
    </>
  )
}

function Row({ row, isOpen }: { row: ConversationRow; isOpen: boolean }) {
  const words = useChatWords()
  const { people } = usePeople()
  const name = nameOf(row, words)
  const peer = row.type === 'DM' ? people.find(({ id }) => id === String(row.peer_user_id)) : undefined
  const { unread_count, last_message_at } = row
  const choice = useConversationChoices().of.get(row.conversation_id)
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
          <About row={row} draft={isOpen ? '' : (choice?.draft ?? '')} />
        </span>
        <span className="chat-row-after">
          {last_message_at !== null && (
            <time dateTime={last_message_at}>{timeOf(last_message_at, officeNow())}</time>
          )}
          <span className="chat-row-counts">
            {choice && choice.mentioned > 0 && (
              <Count of={choice.mentioned} sign="@" says={words.list.mentioned(choice.mentioned)} />
            )}
            {unread_count > 0 && <Count of={unread_count} says={words.unread(unread_count)} />}
            {choice?.level === 'none' && (
              <span role="img" aria-label={words.list.isQuiet}>
                <Icon name="moon" size={16} />
              </span>
            )}
          </span>
        </span>
        {peer && <StatusWord status={dotOf(peer.status)} />}
      </Link>
    </li>
  )
}

/** What was begun to be written, or what was written last. */
function About({ row, draft }: { row: ConversationRow; draft: string }) {
  const words = useChatWords()
  const mentionName = useMentionName()
  const { last_message_content: last, last_message_sender } = row
  const isOwn = useOwnId() === String(last_message_sender)
  if (draft !== '')
    return (
      <span className="chat-about">
        <em className="chat-draft">{words.list.draft}</em> {plainText(draft, mentionName)}
      </span>
    )
  return (
    <span className="chat-about">
      {isOwn && `${words.you}: `}
      {last === null ? words.nothingYet : plainText(last, mentionName)}
    </span>
  )
}
