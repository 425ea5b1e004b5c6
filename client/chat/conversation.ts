import type { EventData } from '@atrium/contract'
import type { Outbox, OutboxItem } from '../outbox/outbox.ts'
import { randomId } from '../requests/random-id.ts'
import { createStore, type Store } from '../store.ts'
import { changeLane, DELETE, deleted, EDIT, isChangeOf, REACTION, withChanges } from './changes.ts'
import type {
  ChatData,
  ChatUserId,
  MessageChange,
  MessagePage,
  MessageRow,
  MessageShown,
  NewMessage,
  ReadMark,
} from './chat-data.ts'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'
import { type ChatMessage, withRows, withUnsent } from './message-list.ts'
import { type ReactionChange, withReaction } from './reactions.ts'
import { MESSAGE, messageLane, READ_MARK } from './senders.ts'
import { createTyping } from './typing.ts'
import { createUploads, type Uploads } from './uploads.ts'

export interface ConversationState {
  /** Oldest first; what is not sent yet last. */
  messages: readonly ChatMessage[]
  loaded: boolean
  /** There are older ones: `loadOlder`. */
  hasOlder: boolean
  /** There are newer ones, for an earlier place is shown: `loadNewer`, `showNewest`. */
  hasNewer: boolean
  /** `User.id`s of the others who write at the moment. */
  typing: readonly string[]
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

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
  /** The files of the next message; close them where they are not shown any more. */
  openUploads(): Uploads
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
  /** Somebody has changed it: nothing is said of whose reactions they are. */
  receiveChanged(row: EventData<'message.updated'>): void
  receiveDeleted(messageId: number): void
  receiveReaction(messageId: number, change: ReactionChange): void
  /** Another person writes. */
  receiveTyping(userId: string): void
  /** The office has taken a message of the outbox. */
  receiveSent(row: MessageRow): void
  /** What of this conversation is in the outbox. */
  showUnsent(items: readonly OutboxItem[]): void
  close(): void
}

const PAGE = 50
const REPLIES = 100

export function createConversation(
  data: ChatData,
  outbox: Pick<Outbox, 'put' | 'again' | 'drop'>,
  id: number,
): ConversationControl {
  const store = createStore<ConversationState>({
    messages: [],
    loaded: false,
    hasOlder: false,
    hasNewer: false,
    typing: [],
  })
  const typing = createTyping({
    send: () => data.tellTyping(id),
    onChange: (userIds) => store.update((state) => ({ ...state, typing: userIds })),
  })
  let closed = false
  let me: ChatUserId | undefined
  let marked = 0
  let unsent: readonly OutboxItem[] = []
  let changes: readonly OutboxItem[] = []
  /** As the office has them, and what is not sent yet; without the changes that are on their way. */
  let known: readonly ChatMessage[] = []
  const myId = () => (me === undefined ? undefined : String(me))
  const setMessages = (change: (messages: readonly ChatMessage[]) => readonly ChatMessage[]) => {
    if (closed) return
    const before = known
    known = change(before)
    if (known !== before)
      store.update((state) => ({ ...state, messages: withChanges(known, changes, myId()) }))
  }
  const setMessage = (messageId: number, change: (message: ChatMessage) => ChatMessage) =>
    setMessages((messages) =>
      messages.map((message) => (message.message_id === messageId ? change(message) : message)),
    )
  const idsNow = () => known.flatMap(({ message_id }) => message_id ?? [])
  const ask = (kind: string, change: Omit<MessageChange, 'conversation_id'>) =>
    outbox.put({
      kind,
      lane: changeLane(change.message_id),
      id: randomId(),
      body: { conversation_id: id, ...change } satisfies MessageChange,
      quiet: kind === REACTION,
    })

  /** A row that others have sent: none behind a hole. */
  const receive = (row: MessageRow | MessageShown) => {
    if (store.get().hasNewer && !idsNow().includes(row.message_id)) return
    setMessages((messages) => withRows(messages, [row]))
  }
  const show = (page: MessagePage, kept: readonly ChatMessage[], more: Partial<ConversationState>) => {
    if (closed) return
    known = withRows(kept, page.messages)
    const { typing: writing, hasOlder, hasNewer } = store.get()
    const messages = withChanges(known, changes, myId())
    store.set({ messages, loaded: true, hasOlder, hasNewer, typing: writing, ...more })
  }
  const pending = () => known.filter(({ message_id }) => message_id === undefined)
  const read = async (older: boolean) => {
    // what is missing there is read with the newest
    if (!older && store.get().hasNewer) return
    try {
      const before = idsNow()
      const place = older && before[0] !== undefined ? { before: before[0] } : {}
      const page = await data.messages(id, PAGE, place)
      if (closed) return
      const { hasOlder, loaded } = store.get()
      // where the page does not reach what is known, there is a hole between them: begin again with the page
      const joins =
        older ||
        !loaded ||
        page.before === null ||
        page.messages.some(({ message_id }) => before.includes(message_id))
      const kept = joins ? known : pending()
      const more = older || !loaded || !joins ? page.before !== null : hasOlder
      show(page, kept, { hasOlder: more })
    } catch (error) {
      if (!closed) store.update((state) => ({ ...state, error }))
    }
  }
  const learnWhoAsks = async () => {
    me = await data.me()
    setMessages((messages) => withUnsent(messages, unsent, me))
  }
  // where it fails, the reading fails too, and says so
  learnWhoAsks().catch(() => {})
  void read(false)

  const conversation: Conversation = {
    id,
    get: store.get,
    subscribe: store.subscribe,
    upload: (file, options) => data.upload(id, file, options),
    openUploads: () => createUploads(conversation.upload),
    addressOf: data.addressOf,
    async send(content, { parentMessageId, attachments = [] } = {}) {
      const client_message_id = randomId()
      const body: NewMessage = {
        conversation_id: id,
        content,
        parent_message_id: parentMessageId ?? null,
        client_message_id,
        ...(attachments.length > 0 && { attachments }),
      }
      await outbox.put({ kind: MESSAGE, lane: messageLane(id), id: client_message_id, body })
    },
    resend: outbox.again,
    discard: outbox.drop,
    edit: (messageId, content) => ask(EDIT, { message_id: messageId, content }),
    remove: (messageId) => ask(DELETE, { message_id: messageId }),
    react: (messageId, emoji, added) => ask(REACTION, { message_id: messageId, emoji, added }),
    async replies(messageId) {
      const { messages } = await data.messages(id, REPLIES, { parentMessageId: messageId })
      return withRows([], messages)
    },
    markUnread: async (messageId) => {
      await data.markUnread({ conversation_id: id, message_id: messageId })
      marked = 0
    },
    loadOlder: () => read(true),
    async showAround(messageId) {
      if (idsNow().includes(messageId)) return
      const page = await data.messages(id, PAGE, { around: messageId })
      show(page, pending(), { hasOlder: page.before !== null, hasNewer: page.after !== null })
    },
    async messageAt(moment) {
      const page = await data.messages(id, 1, { from: moment.toISOString() })
      return page.messages[0]?.message_id
    },
    async loadNewer() {
      const last = idsNow().at(-1)
      if (!store.get().hasNewer || last === undefined) return
      const page = await data.messages(id, PAGE, { after: last })
      show(page, known, { hasNewer: page.after !== null })
      // what came while the last ones were read was not shown
      if (page.after === null) await read(false)
    },
    async showNewest() {
      if (!store.get().hasNewer) return
      known = pending()
      store.update((state) => ({ ...state, messages: known, loaded: false, hasNewer: false }))
      await read(false)
    },
    refresh: () => read(false),
    tellTyping: typing.tell,
    async markRead(messageId) {
      const last = messageId ?? idsNow().at(-1) ?? 0
      if (last <= marked) return
      marked = last
      const body: ReadMark = { conversation_id: id, message_id: last }
      await outbox.put({ kind: READ_MARK, lane: `read ${id}`, body, replaces: true, quiet: true })
    },
  }
  return {
    conversation,
    receive(row) {
      typing.sent(String(row.sender_id))
      receive(row)
    },
    receiveChanged: (row) => receive(row as MessageShown),
    receiveDeleted: (messageId) => setMessage(messageId, deleted),
    receiveReaction: (messageId, change) =>
      setMessage(messageId, (message) => ({
        ...message,
        reactions: withReaction(message.reactions, change, myId()),
      })),
    receiveTyping: (userId) => void (closed || typing.hear(userId)),
    receiveSent: receive,
    showUnsent(items) {
      unsent = items.filter(({ lane }) => lane === messageLane(id))
      const pending = items.filter((item) => isChangeOf(id, item))
      const areSame = pending.length === 0 && changes.length === 0
      changes = pending
      setMessages((messages) => withUnsent(areSame ? messages : [...messages], unsent, me))
    },
    close() {
      closed = true
      typing.close()
    },
  }
}
