import type { AtriumClient } from '../index.ts'
import type { OutboxStore } from '../outbox/entry.ts'
import { createLateOutbox } from '../outbox/late-outbox.ts'
import type { Outbox, OutboxSender } from '../outbox/outbox.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { changeSenders } from './changes.ts'
import { type ChatData, createChatData, type MessageRow } from './chat-data.ts'
import { createChoices, withUnread } from './choices.ts'
import { type Conversation, type ConversationControl, createConversation } from './conversation.ts'
import { type ConversationList, createConversationList } from './conversation-list.ts'
import { type Counting, createCounting } from './counting.ts'
import { chatSenders } from './senders.ts'
import { createThreads } from './threads.ts'

export interface ChatOptions {
  /** Keeps what is not sent yet. IndexedDB where not given, memory where there is none. */
  outbox?: OutboxStore
  /** Sent by the same outbox beside messages and read marks: by the `kind` of their entries. */
  senders?: Readonly<Record<string, OutboxSender>>
}

/** What chat has of the active organization. */
export interface OpenChat {
  readonly client: AtriumClient
  readonly options: ChatOptions
  readonly data: ChatData
  readonly list: ConversationList
  readonly choices: ReturnType<typeof createChoices>
  readonly threads: ReturnType<typeof createThreads>
  readonly counting: Counting
  readonly conversations: Map<number, ConversationControl>
  /** Groups that are being made, by their people and title. */
  readonly making: Map<string, Promise<number>>
  outbox: Outbox
}

/** What counts messages. */
type Counted = Pick<OpenChat, 'list' | 'choices'>

export function openChat(client: AtriumClient, options: ChatOptions): OpenChat {
  const data = createChatData(client)
  const counted = { list: createConversationList(data), choices: createChoices(client) }
  const parts = {
    ...{ client, options, data, ...counted },
    counting: createCounting((message, isRead) => countMessage(counted, message, isRead)),
    threads: createThreads(client),
    conversations: new Map<number, ConversationControl>(),
    making: new Map<string, Promise<number>>(),
  }
  const outbox = openOutbox(parts)
  const chat: OpenChat = { ...parts, outbox }
  showUnsentOf(chat, outbox)
  void chat.list.refresh()
  return chat
}

/** After a switch of the organization. */
export function beginAnew(chat: OpenChat): void {
  chat.data.forgetToken()
  for (const known of chat.conversations.values()) known.close()
  chat.conversations.clear()
  chat.making.clear()
  chat.counting.clear()
  chat.list.clear()
  chat.choices.clear()
  chat.threads.clear()
  chat.outbox.close()
  chat.outbox = openOutbox(chat)
  showUnsentOf(chat, chat.outbox)
}

export function closeChat({ outbox, conversations, counting, list, choices, threads }: OpenChat): void {
  outbox.close()
  counting.clear()
  for (const known of conversations.values()) known.close()
  list.close()
  choices.close()
  threads.close()
}

export function conversationOf(chat: OpenChat, id: number): Conversation {
  const known = chat.conversations.get(id)
  if (known) return known.conversation
  const begun = createConversation(chat.data, chat.outbox, {
    id,
    onMarked: (messageId) => chat.counting.read(id, messageId),
  })
  chat.conversations.set(id, begun)
  // the outbox tells of what changes in it from then on
  begun.showUnsent(chat.outbox.get().items)
  return begun.conversation
}

/** One that the list does not show yet: no event tells of it before something is written. */
export function openedConversation(chat: OpenChat, id: number): Conversation {
  if (!chat.list.get().rows.some(({ conversation_id }) => conversation_id === id)) chat.list.later()
  return conversationOf(chat, id)
}

export function makeGroup(
  { data, making }: OpenChat,
  userIds: readonly string[],
  title?: string,
): Promise<number> {
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

export function hear(chat: OpenChat, event: ReceivedEvent): void {
  const { conversations, counting, list, choices, threads } = chat
  if (event.type === 'message.created') {
    receive(chat, event.data)
    return
  }
  if (event.type === 'message.updated')
    conversations.get(event.data.conversation_id)?.receiveChanged(event.data)
  if (event.type === 'message.deleted')
    conversations.get(event.data.conversationId)?.receiveDeleted(event.data.messageId)
  if (event.type === 'reaction.changed')
    conversations.get(event.data.conversationId)?.receiveReaction(event.data.messageId, event.data)
  if (event.type === 'conversation.typing')
    conversations.get(event.data.conversationId)?.receiveTyping(event.data.userId)
  if (event.type === 'conversation.read') {
    counting.read(event.data.conversation_id, event.data.last_read_message_id)
    // its count has all of them
    counting.now()
    list.read(event.data)
  }
  if (event.type === 'conversation.unread') {
    counting.read(event.data.conversationId, event.data.lastReadMessageId ?? 0)
    conversations.get(event.data.conversationId)?.receiveUnread()
  }
  if (!list.hear(event) && event.type !== 'conversation.settings') return
  choices.later()
  threads.later()
}

function receive({ conversations, counting, threads }: OpenChat, message: MessageRow): void {
  conversations.get(message.conversation_id)?.receive(message)
  counting.add(message)
  if (message.parent_message_id !== null) threads.later()
}

/** Everybody in a conversation hears of each message: what it changes is shown, and the office is asked for the rest alone. */
function countMessage({ list, choices }: Counted, message: MessageRow, isRead: boolean): void {
  const reader = list.receive(message, isRead)
  if (reader === undefined) {
    list.later()
    choices.later()
  } else if (!isRead) choices.change((state) => withUnread(state, message, String(reader)))
}

/** Events may have been missed. */
export function catchUp({ conversations, list, choices, threads }: OpenChat): void {
  list.later()
  choices.later()
  threads.later()
  for (const { conversation } of conversations.values()) void conversation.refresh()
}

function openOutbox({ client, options, data, conversations }: Omit<OpenChat, 'outbox'>): Outbox {
  const onGone = (id: number) => void conversations.get(id)?.conversation.refresh()
  const senders = {
    ...chatSenders(data, {
      onMessage: (row) => conversations.get(row.conversation_id)?.receive(row),
      onGone,
    }),
    ...changeSenders(data, {
      onEdited: (message) => conversations.get(message.conversation_id)?.receiveChanged(message),
      onDeleted: ({ conversation_id, message_id }) =>
        conversations.get(conversation_id)?.receiveDeleted(message_id),
      onReacted: ({ conversation_id, message_id, emoji = '', added = true }) =>
        void data
          .me()
          .then((me) =>
            conversations
              .get(conversation_id)
              ?.receiveReaction(message_id, { emoji, added, userId: `${me}` }),
          )
          // signed out meanwhile: what is read next says it
          .catch(() => {}),
      onGone,
    }),
  }
  const { time } = client
  const load = async () => {
    const { createOutbox, outboxStore } = await loadSending()
    const store = options.outbox ?? outboxStore()
    return createOutbox({ store, owner: data.owner, senders: { ...options.senders, ...senders }, time })
  }
  return createLateOutbox(load, time.now)
}

/** What sends, and what uploads: the first file may be chosen without a network, and browsers ask once alone for a part of a page. */
async function loadSending() {
  const [outbox] = await Promise.all([import('../outbox.ts'), import('./file-upload.ts')])
  return outbox
}

function showUnsentOf(chat: OpenChat, outbox: Outbox): void {
  outbox.subscribe(() => {
    if (outbox !== chat.outbox) return
    for (const known of chat.conversations.values()) known.showUnsent(outbox.get().items)
  })
}
