import type { ChatMessage, Conversation, ConversationRow } from '@atrium/client/chat'
import { usePeople } from '@atrium/react'
import { useLayoutEffect, useRef } from 'react'
import { useAction } from '../live/use-action.ts'
import { PersonName } from '../shell/colleague/person-name.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { de } from '../words/de/chat.ts'
import { en } from '../words/en/chat.ts'
import { localeNow } from '../words/language.ts'
import { useWords } from '../words/use-words.ts'
import { senderOf } from './conversation-names.ts'
import { keyOf, type MessageGroup, messageDays } from './message-groups.ts'
import { MessageItem } from './message-item.tsx'

export interface MessageListProps {
  conversation: Conversation
  row: ConversationRow | undefined
  messages: readonly ChatMessage[]
  /** Reads earlier ones; undefined where there are none. */
  onOlder?: (() => Promise<void>) | undefined
  /** Opens the answers to one; undefined where they are shown themselves. */
  onThread?: (messageId: number) => void
}

/** How far from the end one may be and still follow what comes. */
const AT_END_PX = 80

/** By day and by person. It stays at the end while one reads there, and where one is otherwise. */
export function MessageList({ conversation, row, messages, onOlder, onThread }: MessageListProps) {
  const words = useWords({ en, de })
  const place = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const older = useAction(async () => await onOlder?.())
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of what is shown
  useLayoutEffect(() => {
    if (place.current && atEnd.current) place.current.scrollTop = place.current.scrollHeight
  }, [messages])
  const follow = () => {
    const element = place.current
    if (element) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX
  }
  return (
    <div
      className="messages"
      ref={place}
      onScroll={follow}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      role="log"
      aria-label={words.messages}
    >
      {onOlder && (
        <Button small look="quiet" busy={older.busy} onPress={() => void older.run()}>
          {words.older}
        </Button>
      )}
      {messages.length === 0 && <p className="soft messages-none">{words.nothingYet}</p>}
      {messageDays(messages).map((day) => (
        <div key={day.key}>
          <h3 className="messages-day">{dayName(day.at)}</h3>
          {day.groups.map((group) => (
            <Group key={group.key} {...{ conversation, row, group, onThread }} />
          ))}
        </div>
      ))}
    </div>
  )
}

type GroupProps = Pick<MessageListProps, 'conversation' | 'row'> & {
  group: MessageGroup
  onThread: MessageListProps['onThread']
}

function Group({ conversation, row, group, onThread }: GroupProps) {
  const words = useWords({ en, de })
  const { people } = usePeople()
  const { name, avatarUrl, isColleague } = senderOf(group.senderId, people, row, words)
  return (
    <article className="message-group" aria-label={name}>
      <Avatar name={name} url={avatarUrl} />
      <div className="message-group-text">
        <p className="message-head">
          <strong>{isColleague ? <PersonName userId={group.senderId} name={name} /> : name}</strong>{' '}
          <time dateTime={group.at}>{clockTime(group.at)}</time>
        </p>
        {group.messages.map((message) => (
          <MessageItem key={keyOf(message)} {...{ conversation, message, onThread }} />
        ))}
      </div>
    </article>
  )
}

function dayName(at: string): string {
  return new Intl.DateTimeFormat(localeNow(), { weekday: 'long', day: 'numeric', month: 'long' }).format(
    new Date(at),
  )
}

function clockTime(at: string): string {
  return new Intl.DateTimeFormat(localeNow(), { hour: 'numeric', minute: '2-digit' }).format(new Date(at))
}
