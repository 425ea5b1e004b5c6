import { type ChatData, type ChatUserId, type ConversationRow, createChatData } from './chat-data.ts'
import { type Conversation, type ConversationControl, createConversation } from './conversation.ts'
import type { AtriumClient } from './index.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { createRefresher } from './refresher.ts'
import { createStore, type Store } from './store.ts'

export type { ChatUserId, ConversationRow, MessageRow } from './chat-data.ts'
export type { Conversation, ConversationState } from './conversation.ts'
export type { ChatMessage } from './message-list.ts'

export interface ConversationsState {
  /** The one that moved last first. */
  rows: readonly ConversationRow[]
  /** Of all rows. */
  unread: number
  loaded: boolean
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** Direct messages of the active organization, kept right by events. */
export interface Chat {
  readonly conversations: Store<ConversationsState> & { refresh(): Promise<void> }
  /** Opens or finds the conversation with a colleague, by their `User.id`. Rejects as `call` does. */
  openWith(userId: string): Promise<Conversation>
  /** One conversation; its last messages are read when it is asked for first. */
  conversation(conversationId: number): Conversation
  /** The caller's own id in chat: `sender_id` of their messages. Rejects as `call` does. */
  me(): Promise<ChatUserId>
  close(): void
}

const ROWS = 50
/** A burst of messages is one question. */
const GATHER_MS = 100

export function createChat(client: AtriumClient, live: Realtime): Chat {
  const data = createChatData(client)
  const list = createConversationList(data)
  const open = new Map<number, ConversationControl>()
  const conversation = (id: number): Conversation => {
    const known = open.get(id) ?? createConversation(data, id)
    open.set(id, known)
    return known.conversation
  }
  const hear = (event: ReceivedEvent) => {
    if (event.type === 'message.created') open.get(event.data.conversation_id)?.receive(event.data)
    if (event.type === 'message.created' || event.type === 'conversation.read') list.later()
  }
  const catchUp = () => {
    list.later()
    for (const { conversation } of open.values()) void conversation.refresh()
  }
  const ends = [
    live.on('event', hear),
    live.on('gap', ({ scope }) => scope === 'user' && catchUp()),
    live.on('state', ({ state }) => {
      if (state === 'connected') for (const known of open.values()) known.resendWaiting()
    }),
    live.on('organization', () => {
      data.forgetToken()
      for (const known of open.values()) known.close()
      open.clear()
      list.clear()
    }),
  ]
  void list.refresh()

  return {
    conversations: list,
    conversation,
    openWith: async (userId) => conversation(await data.openDirect(Number(userId))),
    me: data.me,
    close() {
      for (const end of ends) end()
      for (const known of open.values()) known.close()
      list.close()
    },
  }
}

function createConversationList(data: ChatData) {
  const empty: ConversationsState = { rows: [], unread: 0, loaded: false }
  const store = createStore(empty)
  const refresher = createRefresher({
    read: () => data.conversations(ROWS),
    onRead(rows) {
      const unread = rows.reduce((sum, row) => sum + row.unread_count, 0)
      store.set({ rows, unread, loaded: true })
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: refresher.now,
    later: refresher.soon,
    clear() {
      store.set(empty)
      void refresher.now()
    },
    close: refresher.close,
  }
}
