import type { EventData } from '@atrium/contract'
import type { Outbox, OutboxItem } from '../outbox/outbox.ts'
import { randomId } from '../requests/random-id.ts'
import type { Store } from '../store.ts'
import { changeLane, DELETE, deleted, EDIT, REACTION } from './changes.ts'
import type { ChatData, MessageChange, MessageRow, MessageShown, NewMessage, ReadMark } from './chat-data.ts'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'
import { type ChatMessage, withRows } from './message-list.ts'
import { type ReactionChange, withReaction } from './reactions.ts'
import { MESSAGE, messageLane, READ_MARK } from './senders.ts'
import {
  type ConversationState,
  idsOf,
  ownIdOf,
  readAround,
  readNewer,
  readNewest,
  readOlder,
  receiveChange,
  receiveRow,
  returnToNewest,
  type ShownMessages,
  showMessages,
  showUnsent,
} from './shown-messages.ts'
import { createTyping, type Typing } from './typing.ts'
import { createUploads, type Uploads } from './uploads.ts'

export interface SendOptions {
  parentMessageId?: number
  /** Uploads of this conversation, at most ten. `content` may be empty then. */
  attachments?: readonly Attachment[]
}

/** One conversation. What it is asked to send is shown at once. */
export interface Conversation extends Store<ConversationState> {
  readonly id: number
  /**
   * Shows the message as `sending`, and sends it: in the order of the calls, over lost answers and reloads, until the
   * office has it once. Never rejects: the message says what became of it.
   */
  send(content: string, options?: SendOptions): Promise<void>
  /**
   * Uploads a file, to be sent with a message: over a lost network it goes on where it was. Rejects as `call` does, and
   * where `signal` ends it.
   */
  upload(file: NewFile, options?: FileUploadOptions): Promise<Attachment>
  /**
   * The files of the next message: the same ones until they are closed, which the chat does at its end.
   * @param place another one in which a message is written, e.g. a thread, has files of its own
   */
  openUploads(place?: string): Uploads
  /** An address of a file, or of its preview, for five minutes. Rejects as `call` does. */
  addressOf(attachmentId: string, options?: { preview?: boolean }): Promise<string>
  /** Sends again what is `refused`, or what is `waiting` without waiting any longer. */
  resend(clientMessageId: string): Promise<void>
  /** Deletes what is not sent, unless it is on its way. */
  discard(clientMessageId: string): Promise<void>
  /** Changes the text of one's own message, shown at once. Never rejects: the message's `change` says what became of it. */
  edit(messageId: number, content: string): Promise<void>
  /** Deletes a message, shown at once. Never rejects, as `edit`. */
  remove(messageId: number): Promise<void>
  /** Adds a reaction, or takes one's own back, shown at once. Never rejects. */
  react(messageId: number, emoji: string, added: boolean): Promise<void>
  /** The replies to a message, oldest first, at most 100. Rejects as `call` does. */
  replies(messageId: number): Promise<readonly ChatMessage[]>
  /** Marks as unread from a message on. Rejects as `call` does. */
  markUnread(messageId: number): Promise<void>
  /** Never rejects: `error` of the state says what is wrong. */
  loadOlder(): Promise<void>
  /**
   * Shows the messages around one that is not shown yet. What comes meanwhile is not shown as long as there is a hole
   * before it. Rejects as `call` does.
   */
  showAround(messageId: number): Promise<void>
  /** The first message of a moment or after it, else the last one; undefined: there is none. Rejects as `call` does. */
  messageAt(moment: Date): Promise<number | undefined>
  /** The next ones after what is shown. Rejects as `call` does. */
  loadNewer(): Promise<void>
  /** The newest ones in the place of what is shown. Never rejects. */
  showNewest(): Promise<void>
  /** Reads what came since, or the last messages where much has. Never rejects. */
  refresh(): Promise<void>
  /** Says that one is writing: call it with every key, it is told once in a while. */
  tellTyping(): void
  /**
   * Says that everything up to the message was read; without one, everything that is here. It is told until the office
   * has it. Never rejects.
   */
  markRead(messageId?: number): Promise<void>
}

/** What chat does with a conversation beside its callers. */
export interface ConversationControl {
  conversation: Conversation
  receive(row: MessageRow | MessageShown): void
  /** A person has changed it: nothing is said of the owners of the reactions. */
  receiveChanged(row: EventData<'message.updated'> | MessageShown): void
  receiveDeleted(messageId: number): void
  /** Elsewhere the caller has marked it as unread: what they see again is marked again. */
  receiveUnread(): void
  receiveReaction(messageId: number, change: ReactionChange): void
  /** Another person writes. */
  receiveTyping(userId: string): void
  /** What of this conversation is in the outbox. */
  showUnsent(items: readonly OutboxItem[]): void
  close(): void
}

const REPLIES = 100

/** A conversation that is open, by its parts. */
interface OpenConversation {
  id: number
  data: ChatData
  outbox: Pick<Outbox, 'put' | 'again' | 'drop'>
  shown: ShownMessages
  typing: Typing
  /** Of messages that are being written, by their place. */
  uploads: Map<string, Uploads>
  /** Up to where it was said to be read. */
  marked: number
  /** It is said to be read up to a message. */
  onMarked(messageId: number): void
}

export function createConversation(
  data: ChatData,
  outbox: OpenConversation['outbox'],
  { id, onMarked }: Pick<OpenConversation, 'id' | 'onMarked'>,
): ConversationControl {
  const shown = showMessages(data, id)
  const typing = createTyping({
    send: () => data.tellTyping(id),
    onChange: (userIds) => shown.store.update((state) => ({ ...state, typing: userIds })),
  })
  const uploads = new Map<string, Uploads>()
  const open: OpenConversation = { id, data, outbox, shown, typing, uploads, marked: 0, onMarked }
  return {
    conversation: conversationOf(open),
    receive(row) {
      typing.sent(String(row.sender_id))
      receiveRow(shown, row)
    },
    receiveChanged: (row) => receiveRow(shown, row as MessageShown, false),
    receiveDeleted: (messageId) => receiveChange(shown, messageId, deleted),
    receiveReaction: (messageId, change) =>
      receiveChange(shown, messageId, (message) => ({
        ...message,
        reactions: withReaction(message.reactions, change, ownIdOf(shown)),
      })),
    receiveUnread() {
      open.marked = 0
    },
    receiveTyping: (userId) => void (shown.isClosed || typing.hear(userId)),
    showUnsent: (items) => showUnsent(shown, items),
    close() {
      shown.isClosed = true
      shown.newest.close()
      typing.close()
      for (const one of uploads.values()) one.close()
    },
  }
}

function conversationOf(open: OpenConversation): Conversation {
  const { id, data, outbox, shown } = open
  const conversation: Conversation = {
    id,
    get: shown.store.get,
    subscribe: shown.store.subscribe,
    upload: (file, options) => data.upload(id, file, options),
    openUploads: (place = '') => openUploads(open, place, conversation.upload),
    addressOf: data.addressOf,
    send: (content, options) => sendMessage(open, content, options),
    resend: outbox.again,
    discard: outbox.drop,
    edit: (messageId, content) => ask(open, EDIT, { message_id: messageId, content }),
    remove: (messageId) => ask(open, DELETE, { message_id: messageId }),
    react: (messageId, emoji, added) => ask(open, REACTION, { message_id: messageId, emoji, added }),
    async replies(messageId) {
      const { messages } = await data.messages(id, REPLIES, { parentMessageId: messageId })
      return withRows([], messages)
    },
    async markUnread(messageId) {
      await data.markUnread({ conversation_id: id, message_id: messageId })
      open.marked = 0
    },
    loadOlder: () => readOlder(shown),
    showAround: (messageId) => readAround(shown, messageId),
    async messageAt(moment) {
      const page = await data.messages(id, 1, { from: moment.toISOString() })
      return page.messages[0]?.message_id
    },
    loadNewer: () => readNewer(shown),
    showNewest: () => returnToNewest(shown),
    refresh: () => readNewest(shown),
    tellTyping: open.typing.tell,
    markRead: (messageId) => markRead(open, messageId),
  }
  return conversation
}

function openUploads({ uploads }: OpenConversation, place: string, upload: Conversation['upload']): Uploads {
  const known = uploads.get(place)
  if (known) return known
  const opened = createUploads(upload)
  const close = () => {
    uploads.delete(place)
    opened.close()
  }
  const kept = { ...opened, close }
  uploads.set(place, kept)
  return kept
}

async function sendMessage(
  { id, outbox }: OpenConversation,
  content: string,
  { parentMessageId, attachments = [] }: SendOptions = {},
): Promise<void> {
  const client_message_id = randomId()
  const body: NewMessage = {
    conversation_id: id,
    content,
    parent_message_id: parentMessageId ?? null,
    client_message_id,
    ...(attachments.length > 0 && { attachments }),
  }
  await outbox.put({ kind: MESSAGE, lane: messageLane(id), id: client_message_id, body })
}

function ask(
  { id, outbox }: OpenConversation,
  kind: string,
  change: Omit<MessageChange, 'conversation_id'>,
): Promise<void> {
  return outbox.put({
    kind,
    lane: changeLane(change.message_id),
    id: randomId(),
    body: { conversation_id: id, ...change } satisfies MessageChange,
    quiet: kind === REACTION,
  })
}

async function markRead(open: OpenConversation, messageId: number | undefined): Promise<void> {
  const { id, outbox, shown } = open
  const last = messageId ?? idsOf(shown).at(-1) ?? 0
  if (last <= open.marked) return
  open.marked = last
  open.onMarked(last)
  const body: ReadMark = { conversation_id: id, message_id: last }
  await outbox.put({ kind: READ_MARK, lane: `read ${id}`, body, replaces: true, quiet: true })
}
