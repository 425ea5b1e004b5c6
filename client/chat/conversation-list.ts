import type { EventData } from '@atrium/contract'
import { createRefresher } from '../live/refresher.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { createStore, type Store } from '../store.ts'
import type { ChatData, ChatUserId, ConversationRow, MessageRow } from './chat-data.ts'

export interface ConversationsState {
  /** The one that moved last first. */
  rows: readonly ConversationRow[]
  /** Of all rows. */
  unread: number
  loaded: boolean
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** The list of conversations, and what happens to it. */
export interface ConversationList extends Store<ConversationsState> {
  refresh(): Promise<void>
  /** Reads it again soon: a burst of messages is one question. */
  later(): void
  /** Reads it again soon where it shows something else after an event. @returns whether it does */
  hear(event: ReceivedEvent): boolean
  /** Shows a message of another person. @returns the reader; undefined where the list does not show all that has changed */
  receive(message: MessageRow, isRead: boolean): ChatUserId | undefined
  /** Shown at once; the reading that follows says the rest. */
  read(mark: EventData<'conversation.read'>): void
  /** After a switch of the organization. */
  clear(): void
  close(): void
}

/** What most people have is one small page; the others are read by as few as may be. */
const FIRST_PAGE = 50
const PAGE = 200
/** A burst of messages is one question. Where that is of several pages, more of them are one. */
const GATHER_MS = 100
const GATHER_PAGES_MS = 1_000

export function createConversationList(data: Pick<ChatData, 'conversations' | 'me'>): ConversationList {
  const empty: ConversationsState = { rows: [], unread: 0, loaded: false }
  const store = createStore(empty)
  let me: ChatUserId | undefined
  const show = (rows: readonly ConversationRow[]) => store.set({ rows, unread: unreadOf(rows), loaded: true })
  const refresher = createRefresher({
    read: async () => ({ rows: await readAll(data), reader: await data.me() }),
    onRead({ rows, reader }) {
      me = reader
      show(rows)
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: () => (store.get().rows.length < FIRST_PAGE ? GATHER_MS : GATHER_PAGES_MS),
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: refresher.now,
    later: refresher.soon,
    receive(message, isRead) {
      // what else one's own message changes, the office says: to the sender alone
      if (refresher.isReading() || message.sender_id === me) return undefined
      const rows = withMessage(store.get().rows, message, isRead)
      if (!rows) return undefined
      show(rows)
      return me
    },
    hear(event) {
      const changes = changesList(event, refresher.isReading() ? undefined : store.get().rows)
      if (changes) refresher.soon()
      return changes
    },
    read({ conversation_id, unread_count }) {
      if (unread_count === undefined) return
      store.update((state) => {
        const rows = state.rows.map((row) =>
          row.conversation_id === conversation_id ? { ...row, unread_count } : row,
        )
        return { ...state, rows, unread: unreadOf(rows) }
      })
    },
    clear() {
      store.set(empty)
      void refresher.now()
    },
    close: refresher.close,
  }
}

/** All of them, page by page: one that moves meanwhile is told of by an event, after which they are read again. */
async function readAll(data: Pick<ChatData, 'conversations'>): Promise<ConversationRow[]> {
  const known = new Map<number, ConversationRow>()
  let cursor: string | undefined
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const page = await data.conversations(limit, cursor)
    for (const row of page) if (!known.has(row.conversation_id)) known.set(row.conversation_id, row)
    cursor = page.at(-1)?.updated_at
    if (page.length < limit || cursor === undefined) return [...known.values()]
  }
}

function unreadOf(rows: readonly ConversationRow[]): number {
  return rows.reduce((sum, row) => sum + row.unread_count, 0)
}

/** @returns undefined where the office has to say: the conversation is not shown, or what is read has the message perhaps */
function withMessage(
  rows: readonly ConversationRow[],
  message: MessageRow,
  isRead: boolean,
): ConversationRow[] | undefined {
  const row = rows.find(({ conversation_id }) => conversation_id === message.conversation_id)
  if (!row || Date.parse(message.created_at) <= Date.parse(row.last_message_at ?? row.updated_at))
    return undefined
  const moved: ConversationRow = {
    ...row,
    last_message_content: message.content,
    last_message_sender: message.sender_id,
    last_message_at: message.created_at,
    updated_at: message.created_at,
    unread_count: row.unread_count + (isRead ? 0 : 1),
  }
  return [moved, ...rows.filter((other) => other !== row)]
}

/**
 * Whether the list shows something else after an event: conversations, their people, the names of their rooms.
 * @param rows what it shows; undefined: it is being read, and may show anybody
 */
function changesList(event: ReceivedEvent, rows: readonly ConversationRow[] | undefined): boolean {
  switch (event.type) {
    case 'conversation.joined':
    case 'conversation.read':
    case 'conversation.unread':
    case 'message.updated':
    case 'message.deleted':
      return true
    case 'member.joined':
    case 'member.removed':
      return !rows || shows(rows, event.data.userId)
    case 'room.updated':
      return (
        event.data.name !== undefined && (!rows || rows.some(({ room_id }) => room_id === event.data.roomId))
      )
    case 'profile.updated':
      return event.data.displayName !== undefined && (!rows || shows(rows, event.data.userId))
    default:
      return false
  }
}

/** A person is named in one of them. */
function shows(rows: readonly ConversationRow[], userId: string): boolean {
  const id = Number(userId)
  return rows.some(
    ({ peer_user_id, members }) => peer_user_id === id || members.some(({ user_id }) => user_id === id),
  )
}
