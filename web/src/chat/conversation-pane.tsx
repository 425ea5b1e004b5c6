import { AtriumError } from '@atrium/client'
import type { Conversation, ConversationRow } from '@atrium/client/chat'
import type { Person } from '@atrium/client/people'
import {
  type ConversationView,
  useChat,
  useConversation,
  useConversations,
  usePeople,
  useRooms,
} from '@atrium/react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { PersonName } from '../shell/colleague/person-name.tsx'
import { TalkButton } from '../shell/colleague/talk-button.tsx'
import { firstWay } from '../shell/colleague/ways-to-meet.ts'
import { Failed } from '../shell/failed.tsx'
import { aboutPerson, dotOf } from '../shell/status/status-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { EmptyState, Loading } from '../ui/state.tsx'
import { useChatWords } from '../words/chat.ts'
import { useShellWords } from '../words/shell.ts'
import { Closed, type ClosedBy, useClosed } from './closed.tsx'
import { useMentionables } from './composer/mentionables.ts'
import { Composer } from './composer.tsx'
import { idOf, nameOf, pictureOf } from './conversation-names.ts'
import { LevelMenu } from './level-menu.tsx'
import { useEditing } from './message/editing.ts'
import { useOwnId } from './message/own-id.ts'
import { MessageList } from './message-list.tsx'
import { JumpToDay } from './search/jump-to-day.tsx'
import { useTarget } from './search/use-target.ts'
import { Thread } from './thread.tsx'
import { Typing } from './typing.tsx'
import { useReading } from './use-reading.ts'

/** One conversation: what was written, who is writing, and the field for what comes next. */
export function ConversationPane({ id, row }: { id: number; row: ConversationRow | undefined }) {
  const words = useChatWords()
  const view = useConversation(id)
  const { conversation, messages, loaded, error } = view
  const thread = useThreadOfPlace()
  const editing = useEditing(messages)
  const members = useMentionables(row, messages)
  const reading = useReading(conversation, view)
  const target = useTarget(conversation, loaded)
  const failed = !loaded && error !== undefined
  const presence = useListed(row, view)
  if (presence === 'missing' || isNotThere(error)) return <NoConversation />
  return (
    <section className="chat-pane" aria-label={row ? nameOf(row, words) : words.conversation}>
      <PaneHead row={row} conversation={loaded ? conversation : undefined} />
      {failed && <Failed title={words.noConversation} onAgain={async () => await conversation?.refresh()} />}
      {(!loaded || presence === 'asked') && !failed && <Loading label={words.loading} />}
      {loaded && presence === 'there' && conversation && (
        <Opened {...{ row, view, conversation, editing, members, reading, target, thread }} />
      )}
    </section>
  )
}

interface OpenedProps {
  row: ConversationRow | undefined
  view: ConversationView
  conversation: Conversation
  editing: ReturnType<typeof useEditing>
  members: ReturnType<typeof useMentionables>
  reading: ReturnType<typeof useReading>
  target: ReturnType<typeof useTarget>
  thread: ReturnType<typeof useThreadOfPlace>
}

/** What was written, and the field for what comes next. */
function Opened(props: OpenedProps) {
  const { row, view, conversation, editing, members, reading, target, thread } = props
  const { messages } = view
  const [threadOf, setThreadOf] = thread
  const closedBy = useClosed(row)
  return (
    <>
      <MessageList
        messages={messages}
        tools={{
          ...{ conversation, row, editing, members, isClosed: closedBy !== undefined },
          ...{ onThread: setThreadOf, onUnread: reading.markUnread },
        }}
        onOlder={view.hasOlder ? () => conversation.loadOlder() : undefined}
        reading={reading}
        target={target}
        onNewer={view.hasNewer ? () => conversation.loadNewer() : undefined}
        onNewest={() => conversation.showNewest()}
      />
      <Below {...props} closedBy={closedBy} />
      {threadOf !== undefined && (
        <Thread
          conversation={conversation}
          row={row}
          messages={messages}
          parentId={threadOf}
          onClose={() => setThreadOf(undefined)}
        />
      )}
    </>
  )
}

/** Who is writing, and the field; in its place, why there is none. */
function Below(props: OpenedProps & { closedBy: ClosedBy | undefined }) {
  const { row, view, conversation, editing, members, closedBy } = props
  const words = useChatWords()
  const draftKey = String(conversation.id)
  const { toWrite = false } = useLocation().state
  return (
    <>
      <Typing userIds={view.typing} row={row} />
      {row && closedBy ? (
        <Closed {...{ row, draftKey }} by={closedBy} />
      ) : (
        <Composer
          draftKey={draftKey}
          draftOfConversation={conversation.id}
          members={members}
          label={words.writeTo(row ? nameOf(row, words) : words.conversation)}
          autoFocus={toWrite}
          onEditLast={editing.beginLast}
          onType={conversation.tellTyping}
          filesOf={conversation}
          onSend={(content, attachments) => {
            void conversation.showNewest()
            void conversation.send(content, { attachments })
          }}
        />
      )}
    </>
  )
}

/** The thread that is shown: the one that the address leads to, until another one is chosen. */
function useThreadOfPlace() {
  const { thread, key } = useLocation().state
  const [threadOf, setThreadOf] = useState(thread)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same place may be asked for again
  useEffect(() => {
    if (thread !== undefined) setThreadOf(thread)
  }, [thread, key])
  return [threadOf, setThreadOf] as const
}

/** The office says the same of a conversation that does not exist and of one of others. */
function isNotThere(error: unknown): boolean {
  return error instanceof AtriumError && error.error === 'conversation-not-found'
}

/** In the place of one that is not there, or not for this person: they are not told which. */
export function NoConversation() {
  const words = useChatWords()
  return (
    <section className="chat-nothing" aria-label={words.conversation}>
      <EmptyState icon="chat" title={words.notFound}>
        <p>{words.notFoundAbout}</p>
        <Link to={pagePaths.chat} className="button">
          {words.back}
        </Link>
      </EmptyState>
    </section>
  )
}

/**
 * Whether there is such a conversation. One in which nothing was written may be new, or may be none: the list, read
 * again, knows. (Old ones are not in the list, and have messages.)
 */
function useListed(
  row: ConversationRow | undefined,
  { loaded, messages }: ReturnType<typeof useConversation>,
): 'there' | 'asked' | 'missing' {
  const conversations = useChat()?.conversations
  const { loaded: isListed } = useConversations()
  const [hasAsked, setAsked] = useState(false)
  const isUnsure = loaded && isListed && !row && messages.length === 0
  useEffect(() => {
    if (!isUnsure || !conversations) return undefined
    let wanted = true
    void conversations.refresh().then(() => {
      if (wanted && conversations.get().error === undefined) setAsked(true)
    })
    return () => {
      wanted = false
    }
  }, [isUnsure, conversations])
  if (!isUnsure) return 'there'
  return hasAsked ? 'missing' : 'asked'
}

/** Where a talk is the first way to them. */
function Talk({ person }: { person: Person }) {
  const { rooms } = useRooms()
  const ownId = useOwnId() ?? ''
  const room = rooms.find(({ id }) => id === person.roomId)
  if (firstWay(person, room, ownId) !== 'talk') return null
  return (
    <span className="chat-head-talk">
      <TalkButton person={person} />
    </span>
  )
}

function PaneHead({
  row,
  conversation,
}: {
  row: ConversationRow | undefined
  conversation: Conversation | undefined
}) {
  const words = useChatWords()
  const { status } = useShellWords()
  const { people } = usePeople()
  const name = row ? nameOf(row, words) : words.conversation
  const peer = row?.type === 'DM' ? people.find(({ id }) => id === String(row.peer_user_id)) : undefined
  return (
    <header className="chat-pane-head">
      <Link to={pagePaths.chat} className="button button-quiet button-icon chat-back" aria-label={words.back}>
        <Icon name="back" />
      </Link>
      {row && peer && (
        <Avatar
          id={idOf(row)}
          name={name}
          url={pictureOf(row)}
          isBot={peer.isBot}
          status={dotOf(peer.status)}
        />
      )}
      <div className="chat-head-text">
        <h2 className="chat-title">{peer ? <PersonName userId={peer.id} name={name} /> : name}</h2>
        <p className="chat-about">
          {peer && aboutPerson(peer, status)}
          {row?.type === 'GROUP' && words.people(row.members.length + 1)}
          {row?.type === 'ROOM' && words.roomConversation}
        </p>
      </div>
      {peer && <Talk person={peer} />}
      {conversation && <JumpToDay conversation={conversation} />}
      {row && <LevelMenu conversationId={row.conversation_id} />}
      {row?.type === 'ROOM' && (
        <Link to={pagePaths.room} params={{ roomId: row.room_id }} className="button button-small">
          {words.toRoom}
        </Link>
      )}
    </header>
  )
}
