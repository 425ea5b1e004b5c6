import type { Input, Reply } from '@atrium/contract'
import type { ChatUserId } from './chat/chat-data.ts'
import type { Choices } from './chat/choices.ts'
import type { Conversation } from './chat/conversation.ts'
import type { ConversationsState } from './chat/conversation-list.ts'
import {
  beginAnew,
  type ChatOptions,
  catchUp,
  closeChat,
  conversationOf,
  hear,
  makeGroup,
  openChat,
  openedConversation,
} from './chat/open-chat.ts'
import type { ThreadRow, Threads } from './chat/threads.ts'
import type { AtriumClient } from './index.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Realtime } from './realtime.ts'
import type { Store } from './store.ts'

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
export type { ConversationsState } from './chat/conversation-list.ts'
export type { Attachment, FileUploadOptions, NewFile } from './chat/file-upload.ts'
export type { ChatMessage, PendingChange } from './chat/message-list.ts'
export type { ChatOptions } from './chat/open-chat.ts'
export type { Reaction } from './chat/reactions.ts'
export type { ConversationState } from './chat/shown-messages.ts'
export type { ThreadRow, Threads, ThreadsState } from './chat/threads.ts'
export type { Upload, Uploads } from './chat/uploads.ts'

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

export function createChat(client: AtriumClient, live: Realtime, options: ChatOptions = {}): Chat {
  const chat = openChat(client, options)
  const ends = [
    live.on('event', (event) => hear(chat, event)),
    live.on('gap', ({ scope }) => (scope === 'user' ? catchUp(chat) : chat.list.later())),
    live.on('state', ({ state }) => {
      if (state === 'connected') chat.outbox.wake()
    }),
    live.on('organization', () => beginAnew(chat)),
  ]
  const { data, list, choices, threads } = chat
  return {
    conversations: list,
    choices,
    threads,
    conversation: (id) => conversationOf(chat, id),
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
    openWith: async (userId) => openedConversation(chat, await data.openDirect(Number(userId))),
    openGroup: async (userIds, title) => openedConversation(chat, await makeGroup(chat, userIds, title)),
    openRoom: async (roomId) => openedConversation(chat, await data.openRoom(roomId)),
    me: data.me,
    get outbox() {
      return chat.outbox
    },
    close() {
      for (const end of ends) end()
      closeChat(chat)
    },
  }
}
