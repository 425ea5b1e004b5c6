import type { EventData } from '@atrium/contract'
import { createRefresher } from '../live/refresher.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { createStore, type Store } from '../store.ts'
import type { ChatData, ConversationRow } from './chat-data.ts'

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
  /** Shown at once; the reading that follows says the rest. */
  read(mark: EventData<'conversation.read'>): void
  /** After a switch of the organization. */
  clear(): void
  close(): void
}

const ROWS = 50
/** A burst of messages is one question. */
const GATHER_MS = 100

export function createConversationList(data: Pick<ChatData, 'conversations'>): ConversationList {
  const empty: ConversationsState = { rows: [], unread: 0, loaded: false }
  const store = createStore(empty)
  const refresher = createRefresher({
    read: () => data.conversations(ROWS),
    onRead: (rows) => store.set({ rows, unread: unreadOf(rows), loaded: true }),
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: refresher.now,
    later: refresher.soon,
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

function unreadOf(rows: readonly ConversationRow[]): number {
  return rows.reduce((sum, row) => sum + row.unread_count, 0)
}

/** Whether the list shows something else after it: conversations, their people, the names of their rooms. */
export function changesList(event: ReceivedEvent): boolean {
  switch (event.type) {
    case 'message.created':
    case 'conversation.joined':
    case 'conversation.read':
    case 'conversation.unread':
    case 'message.updated':
    case 'message.deleted':
    case 'member.joined':
    case 'member.removed':
      return true
    case 'room.updated':
      return event.data.name !== undefined
    case 'profile.updated':
      return event.data.displayName !== undefined
    default:
      return false
  }
}
