import type { ChatMessage } from '@atrium/client/chat'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { useFocusedRow } from '../ui/focused-row.ts'
import { useChatWords } from '../words/chat.ts'
import { localeNow } from '../words/language.ts'
import { Message } from './message/message.tsx'
import type { MessageTools } from './message/message-tools.ts'
import { type ListedMessage, listedMessages } from './message-groups.ts'
import { useShownTarget } from './search/use-shown-target.ts'
import type { Target } from './search/use-target.ts'
import { newestSeen } from './seen-messages.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useNewBelow } from './use-new-below.ts'
import type { Reading } from './use-reading.ts'
import './conversation.css'

export interface MessageListProps {
  messages: readonly ChatMessage[]
  tools: MessageTools
  /** Reads earlier ones; undefined where there are none. */
  onOlder?: (() => Promise<void>) | undefined
  /** Reads the next ones; undefined where the newest are shown. */
  onNewer?: (() => Promise<void>) | undefined
  /** Shows the newest ones in the place of these. */
  onNewest?: (() => Promise<void>) | undefined
  /** The message to go to. */
  target?: Target | undefined
  /** Undefined: nothing is marked as read. */
  reading?: Reading
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
  const { messages, onOlder, onNewer } = props
  const words = useChatWords()
  const place = useRef<HTMLDivElement>(null)
  const newer = useAction(async () => await onNewer?.())
  const older = useAction(async () => await onOlder?.())
  const listing = useListing(props, place)
  const { virtualizer, isAtEnd, handlers } = listing
  const readMore = () => {
    if (onOlder && (place.current?.scrollTop ?? 0) < AT_BEGINNING_PX) void older.run()
    if (onNewer && virtualizer.isAtEnd()) void newer.run()
  }
  return (
    <div
      className="messages"
      ref={place}
      onScroll={readMore}
      onKeyDown={(event) => {
        if (moveFocus(event)) event.preventDefault()
        if (event.key !== 'End' || isTyped(event)) return
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
        <Placed listing={listing} tools={props.tools} />
      </div>
      <Below {...props} listing={listing} />
    </div>
  )
}

type Listing = ReturnType<typeof useListing>

/** What is listed, and which of it is placed in the page. */
function useListing(props: MessageListProps, place: RefObject<HTMLDivElement | null>) {
  const { messages, tools, onOlder, onNewer, target, reading } = props
  const listed = useMemo(() => listedMessages(messages, reading?.newAfter), [messages, reading?.newAfter])
  const keyAt = (index: number) => listed[index]?.key ?? ''
  const { focused, rangeExtractor, handlers } = useFocusedRow(listed.length, keyAt)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: listed.length,
    getScrollElement: () => place.current,
    estimateSize: () => MESSAGE_PX,
    getItemKey: keyAt,
    overscan: 10,
    paddingStart: onOlder ? OLDER_PX : 0,
    anchorTo: 'end',
    followOnAppend: !onNewer,
    scrollEndThreshold: AT_END_PX,
    rangeExtractor,
  })
  useLayoutEffect(() => virtualizer.scrollToEnd(), [virtualizer])
  const shown = useShownTarget(target, listed, (index) =>
    virtualizer.scrollToIndex(index, { align: 'center' }),
  )
  const tabStop = focused ?? listed.at(-1)?.key
  const isAtEnd = virtualizer.isAtEnd()
  const newBelow = useNewBelow(listed, isAtEnd)
  const placed = virtualizer.getVirtualItems()
  const window = { top: virtualizer.scrollOffset ?? 0, height: virtualizer.scrollRect?.height ?? 0 }
  useMarkRead(tools.conversation, reading?.marksRead ? newestSeen(listed, placed, window) : undefined)
  return { listed, placed, virtualizer, shown, tabStop, isAtEnd, newBelow, handlers }
}

function Placed({ listing, tools }: { listing: Listing; tools: MessageTools }) {
  const { listed, placed, virtualizer, shown, tabStop } = listing
  return placed.map(({ key, index, start }) => (
    <div
      key={key}
      className="messages-place"
      ref={virtualizer.measureElement}
      data-index={index}
      style={{ top: start }}
    >
      <Listed
        listed={listed[index] as ListedMessage}
        tools={tools}
        isTabStop={key === tabStop}
        isTarget={key === shown}
      />
    </div>
  ))
}

/** The way to what is further down. */
function Below({ onNewer, onNewest, listing }: MessageListProps & { listing: Listing }) {
  const words = useChatWords()
  const { virtualizer, newBelow } = listing
  if (onNewer) {
    return (
      <div className="messages-new">
        <Button small look="primary" onPress={() => void onNewest?.()}>
          {words.toNewest} <span aria-hidden="true">↓</span>
        </Button>
      </div>
    )
  }
  return (
    newBelow > 0 && (
      <div className="messages-new" role="status">
        <Button small look="primary" onPress={() => virtualizer.scrollToEnd()}>
          {words.newBelow(newBelow)} <span aria-hidden="true">↓</span>
        </Button>
      </div>
    )
  )
}

interface ListedProps {
  listed: ListedMessage
  tools: MessageTools
  isTabStop: boolean
  isTarget: boolean
}

function Listed({ listed, tools, isTabStop, isTarget }: ListedProps) {
  const words = useChatWords()
  return (
    <>
      {listed.beginsDay && <h3 className="messages-day">{dayName(listed.message.created_at)}</h3>}
      {listed.beginsNew && <p className="messages-begin-new">{words.newLine}</p>}
      <Message {...{ listed, tools, isTabStop, isTarget }} />
    </>
  )
}

/** Arrow keys lead from a message to the next one. @returns whether they did */
function moveFocus({ key, target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  const place = target instanceof HTMLElement && target.matches('article') && target.closest('[data-index]')
  if (step === undefined || !place) return false
  const next = Number(place.getAttribute('data-index')) + step
  const article = currentTarget.querySelector<HTMLElement>(`[data-index="${next}"] article`)
  article?.focus()
  return article !== null
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLTextAreaElement
}

function dayName(at: string): string {
  return new Intl.DateTimeFormat(localeNow(), { weekday: 'long', day: 'numeric', month: 'long' }).format(
    new Date(at),
  )
}
