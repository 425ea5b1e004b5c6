import type { ChatMessage, Conversation, ConversationRow } from '@atrium/client/chat'
import { usePeople } from '@atrium/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { useAction } from '../live/use-action.ts'
import { PersonName } from '../shell/colleague/person-name.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useFocusedRow } from '../ui/focused-row.ts'
import { useChatWords } from '../words/chat.ts'
import { localeNow } from '../words/language.ts'
import { senderOf } from './conversation-names.ts'
import { type ListedMessage, listedMessages } from './message-groups.ts'
import { MessageItem } from './message-item.tsx'
import { newestSeen } from './seen-messages.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useNewBelow } from './use-new-below.ts'
import './conversation.css'

export interface MessageListProps {
  conversation: Conversation
  row: ConversationRow | undefined
  messages: readonly ChatMessage[]
  /** Reads earlier ones; undefined where there are none. */
  onOlder?: (() => Promise<void>) | undefined
  /** Opens the answers to one; undefined where they are shown themselves. */
  onThread?: ((messageId: number) => void) | undefined
  /** What is on screen is read. */
  marksRead?: boolean
}

/** How far from the end one may be and still follow what comes. */
const AT_END_PX = 80
/** How near the beginning one comes before earlier ones are read. */
const AT_BEGINNING_PX = 400
/** Until it is measured: a line, with the name above it. */
const MESSAGE_PX = 64
/** For the button above the first one. */
const OLDER_PX = 56

/**
 * By day and by person, those near what is looked at. It stays at the end while one reads there, and where one is
 * otherwise, also when earlier ones come in above.
 */
export function MessageList(props: MessageListProps) {
  const { conversation, row, messages, onOlder, onThread, marksRead = false } = props
  const words = useChatWords()
  const place = useRef<HTMLDivElement>(null)
  const older = useAction(async () => await onOlder?.())
  const listed = useMemo(() => listedMessages(messages), [messages])
  const keyAt = (index: number) => listed[index]?.key ?? ''
  const { rangeExtractor, handlers } = useFocusedRow(listed.length, keyAt)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: listed.length,
    getScrollElement: () => place.current,
    estimateSize: () => MESSAGE_PX,
    getItemKey: keyAt,
    overscan: 10,
    paddingStart: onOlder ? OLDER_PX : 0,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
    rangeExtractor,
  })
  useLayoutEffect(() => virtualizer.scrollToEnd(), [virtualizer])
  const isAtEnd = virtualizer.isAtEnd()
  const newBelow = useNewBelow(listed, isAtEnd)
  const placed = virtualizer.getVirtualItems()
  const window = { top: virtualizer.scrollOffset ?? 0, height: virtualizer.scrollRect?.height ?? 0 }
  useMarkRead(conversation, marksRead ? newestSeen(listed, placed, window) : undefined)
  const readOlder = () => {
    if (onOlder && (place.current?.scrollTop ?? 0) < AT_BEGINNING_PX) void older.run()
  }
  return (
    <div
      className="messages"
      ref={place}
      onScroll={readOlder}
      onKeyDown={(event) => {
        if (event.key !== 'End') return
        // the browser goes to where the end was before what is there is measured
        event.preventDefault()
        virtualizer.scrollToEnd()
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      role="log"
      aria-label={words.messages}
      // what comes into sight by scrolling is no news
      aria-live={isAtEnd ? 'polite' : 'off'}
      {...handlers}
    >
      {messages.length === 0 && <p className="soft messages-none">{words.nothingYet}</p>}
      <div className="messages-all" style={{ height: virtualizer.getTotalSize() }}>
        {onOlder && (
          <Button small look="quiet" busy={older.busy} onPress={() => void older.run()}>
            {words.older}
          </Button>
        )}
        {placed.map(({ key, index, start }) => (
          <div
            key={key}
            className="messages-place"
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ top: start }}
          >
            <Listed {...(listed[index] as ListedMessage)} {...{ conversation, row, onThread }} />
          </div>
        ))}
      </div>
      {newBelow > 0 && (
        <div className="messages-new" role="status">
          <Button small look="primary" onPress={() => virtualizer.scrollToEnd()}>
            {words.newBelow(newBelow)} <span aria-hidden="true">↓</span>
          </Button>
        </div>
      )}
    </div>
  )
}

type ListedProps = ListedMessage & Pick<MessageListProps, 'conversation' | 'row' | 'onThread'>

function Listed({ conversation, row, message, beginsDay, isNamed, answers, onThread }: ListedProps) {
  const words = useChatWords()
  const { people } = usePeople()
  const senderId = String(message.sender_id ?? '')
  const { name, avatarUrl, isColleague } = senderOf(senderId, people, row, words, message.guest)
  const { created_at: at } = message
  return (
    <>
      {beginsDay && <h3 className="messages-day">{dayName(at)}</h3>}
      <article className={classNames('message-place', isNamed && 'message-named')} aria-label={name}>
        {isNamed && <Avatar id={senderId} name={name} url={avatarUrl} />}
        <div className="message-text-place">
          {isNamed && (
            <p className="message-head">
              <strong>{isColleague ? <PersonName userId={senderId} name={name} /> : name}</strong>{' '}
              <time dateTime={at}>{clockTime(at)}</time>
            </p>
          )}
          <MessageItem {...{ conversation, message, answers, onThread }} />
        </div>
      </article>
    </>
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
