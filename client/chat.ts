import type { EventData, Input, Reply } from '@atrium/contract'
import { changeSenders } from './chat/changes.ts'
import { type ChatData, type ChatUserId, type ConversationRow, createChatData } from './chat/chat-data.ts'
import { type Choices, createChoices } from './chat/choices.ts'
import { type Conversation, type ConversationControl, createConversation } from './chat/conversation.ts'
import { chatSenders } from './chat/senders.ts'
import { createThreads, type ThreadRow, type Threads } from './chat/threads.ts'
import type { AtriumClient } from './index.ts'
import { createRefresher } from './live/refresher.ts'
import type { OutboxStore } from './outbox/entry.ts'
import { createLateOutbox } from './outbox/late-outbox.ts'
import type { Outbox, OutboxSender } from './outbox/outbox.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { createStore, type Store } from './store.ts'

export type {
  ChatUserId,
  ConversationMember,
  ConversationRow,
  DirectConversationRow,
  GroupConversationRow,
  MessageRow,
  RoomConversationRow,
} from './chat/chat-data.ts'
export type { Choice, Choices, ChoicesState } from './chat/choices.ts'
export type { Conversation, SendOptions } from './chat/conversation.ts'
export type { Attachment, FileUploadOptions, NewFile } from './chat/file-upload.ts'
export type { ChatMessage, PendingChange } from './chat/message-list.ts'
export type { Reaction } from './chat/reactions.ts'
export type { ConversationState } from './chat/shown-messages.ts'
export type { ThreadRow, Threads, ThreadsState } from './chat/threads.ts'
export type { Upload, Uploads } from './chat/uploads.ts'

export interface ConversationsState {
  /** The one that moved last first. */
  rows: readonly ConversationRow[]
  /** Of all rows. */
  unread: number
  loaded: boolean
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** Conversations of the active organization, of two, of groups and of rooms, kept right by events. */
export interface Chat {
  readonly conversations: Store<ConversationsState> & { refresh(): Promise<void> }
  /** Opens or finds the conversation with a colleague, by their `User.id`. Rejects as `call` does. */
  openWith(userId: string): Promise<Conversation>
  /** Drafts, levels and mentions of the caller; read when they are asked for first. */
  readonly choices: Choices
  /** Keeps what is begun to be written, for all devices. Rejects as `call` does. */
  setDraft(conversationId: number, content: string): Promise<void>
  /** Which messages are announced. Rejects as `call` does. */
  setLevel(conversationId: number, level: 'all' | 'mentions' | 'none'): Promise<void>
  /** Finds messages of the caller's conversations. Rejects as `call` does. */
  search(query: Input<'searchMessages'>): Promise<Reply<'searchMessages'>['body']>
  /** Threads that the caller follows; read when they are asked for first. */
  readonly threads: Threads
  /** One thread, followed or not, by the message that it began with. Rejects as `call` does. */
  thread(messageId: number): Promise<ThreadRow>
  /** By the message that the thread began with. Rejects as `call` does. */
  followThread(messageId: number, follow: boolean): Promise<void>
  /**
   * Makes a group with colleagues, by their `User.id`s: another one each time, but for the same people and title while
   * one is under way (a button that is pressed twice). Rejects as `call` does.
   */
  openGroup(userIds: readonly string[], title?: string): Promise<Conversation>
  /**
   * Opens or finds the conversation of a room. It is for those who are or were in it: after entering, call this when
   * `room.entered` names oneself. Rejects as `call` does.
   */
  openRoom(roomId: string): Promise<Conversation>
  /** One conversation; its last messages are read when it is asked for first. */
  conversation(conversationId: number): Conversation
  /** The caller's own id in chat: `sender_id` of their messages. Rejects as `call` does. */
  me(): Promise<ChatUserId>
  /**
   * What is not sent yet, of all conversations: of another organization it is another one. Other things may be sent by it
   * as well, where `senders` has their kind.
   */
  readonly outbox: Omit<Outbox, 'close'>
  close(): void
}

export interface ChatOptions {
  /** Keeps what is not sent yet. IndexedDB where not given, memory where there is none. */
  outbox?: OutboxStore
  /** Sent by the same outbox beside messages and read marks: by the `kind` of their entries. */
  senders?: Readonly<Record<string, OutboxSender>>
}

const ROWS = 50
/** A burst of messages is one question. */
const GATHER_MS = 100

export function createChat(client: AtriumClient, live: Realtime, options: ChatOptions = {}): Chat {
  const data = createChatData(client)
  const list = createConversationList(data)
  const choices = createChoices(client)
  const threads = createThreads(client)
  const open = new Map<number, ConversationControl>()
  const showUnsent = (id: number) => open.get(id)?.showUnsent(outbox.get().items)
  const begin = (): Outbox => {
    const onGone = (id: number) => void open.get(id)?.conversation.refresh()
    const senders = {
      ...chatSenders(data, { onMessage: (row) => open.get(row.conversation_id)?.receiveSent(row), onGone }),
      ...changeSenders(data, {
        onEdited: (message) => open.get(message.conversation_id)?.receive(message),
        onDeleted: ({ conversation_id, message_id }) => open.get(conversation_id)?.receiveDeleted(message_id),
        onReacted: ({ conversation_id, message_id, emoji = '', added = true }) =>
          void data
            .me()
            .then((me) =>
              open.get(conversation_id)?.receiveReaction(message_id, { emoji, added, userId: `${me}` }),
            ),
        onGone,
      }),
    }
    const { time } = client
    const load = async () => {
      const { createOutbox, outboxStore } = await import('./outbox.ts')
      const store = options.outbox ?? outboxStore()
      return createOutbox({ store, owner: data.owner, senders: { ...options.senders, ...senders }, time })
    }
    const begun = createLateOutbox(load, time.now)
    begun.subscribe(() => {
      if (begun !== outbox) return
      for (const id of open.keys()) showUnsent(id)
    })
    return begun
  }
  let outbox = begin()
  const conversation = (id: number): Conversation => {
    const known = open.get(id)
    if (known) return known.conversation
    const begun = createConversation(data, outbox, id)
    open.set(id, begun)
    // the outbox tells of what changes in it from then on
    showUnsent(id)
    return begun.conversation
  }
  /** One that the list does not show yet: no event tells of it before something is written. */
  const opened = (id: number): Conversation => {
    if (!list.get().rows.some(({ conversation_id }) => conversation_id === id)) list.later()
    return conversation(id)
  }
  const hear = (event: ReceivedEvent) => {
    if (event.type === 'message.created') open.get(event.data.conversation_id)?.receive(event.data)
    if (event.type === 'message.updated') open.get(event.data.conversation_id)?.receiveChanged(event.data)
    if (event.type === 'message.deleted')
      open.get(event.data.conversationId)?.receiveDeleted(event.data.messageId)
    if (event.type === 'reaction.changed')
      open.get(event.data.conversationId)?.receiveReaction(event.data.messageId, event.data)
    if (event.type === 'conversation.typing')
      open.get(event.data.conversationId)?.receiveTyping(event.data.userId)
    if (event.type === 'conversation.read') list.read(event.data)
    if (changesList(event)) list.later()
    if (!changesList(event) && event.type !== 'conversation.settings') return
    choices.later()
    threads.later()
  }
  const catchUp = () => {
    list.later()
    choices.later()
    threads.later()
    for (const { conversation } of open.values()) void conversation.refresh()
  }
  /** Groups that are being made, by their people and title. */
  const making = new Map<string, Promise<number>>()
  const makeGroup = (userIds: readonly string[], title?: string): Promise<number> => {
    const key = JSON.stringify([[...new Set(userIds)].sort(), title])
    const known = making.get(key)
    if (known) return known
    const made = data.openGroup(userIds.map(Number), title)
    making.set(key, made)
    const forget = () => {
      if (making.get(key) === made) making.delete(key)
    }
    made.then(forget, forget)
    return made
  }
  const ends = [
    live.on('event', hear),
    live.on('gap', ({ scope }) => (scope === 'user' ? catchUp() : list.later())),
    live.on('state', ({ state }) => {
      if (state === 'connected') outbox.wake()
    }),
    live.on('organization', () => {
      data.forgetToken()
      for (const known of open.values()) known.close()
      open.clear()
      making.clear()
      list.clear()
      choices.clear()
      threads.clear()
      outbox.close()
      outbox = begin()
    }),
  ]
  void list.refresh()

  return {
    conversations: list,
    choices,
    threads,
    conversation,
    setDraft: async (conversationId, content) => {
      await client.call('setDraft', { conversationId, content })
    },
    setLevel: async (conversationId, level) => {
      await client.call('setConversationLevel', { conversationId, level })
    },
    search: (query) => client.call('searchMessages', query),
    async thread(messageId) {
      const { threads: found } = await client.call('listThreads', { messageId })
      return found[0] as ThreadRow
    },
    followThread: async (messageId, follow) => {
      await client.call('followThread', { messageId, follow })
    },
    openWith: async (userId) => opened(await data.openDirect(Number(userId))),
    openGroup: async (userIds, title) => opened(await makeGroup(userIds, title)),
    openRoom: async (roomId) => opened(await data.openRoom(roomId)),
    me: data.me,
    get outbox() {
      return outbox
    },
    close() {
      for (const end of ends) end()
      outbox.close()
      for (const known of open.values()) known.close()
      list.close()
      choices.close()
      threads.close()
    },
  }
}

/** Whether the list shows something else after it: conversations, their people, the names of their rooms. */
function changesList(event: ReceivedEvent): boolean {
  switch (event.type) {
    case 'message.created':
    case 'conversation.joined':
    case 'conversation.read':
    case 'conversation.unread':
    case 'message.updated':
    case 'message.deleted':
    case 'profile.updated':
    case 'member.joined':
    case 'member.removed':
      return true
    case 'room.updated':
      return event.data.name !== undefined
    default:
      return false
  }
}

function createConversationList(data: ChatData) {
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
    /** Shown at once; the reading that follows says the rest. */
    read({ conversation_id, unread_count }: EventData<'conversation.read'>) {
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
