import type { Outbox, OutboxItem } from '../outbox/outbox.ts'
import { randomId } from '../requests/random-id.ts'
import { createStore, type Store } from '../store.ts'
import type { ChatData, ChatUserId, MessageRow, NewMessage, ReadMark } from './chat-data.ts'
import { type ChatMessage, withRows, withUnsent } from './message-list.ts'
import { MESSAGE, messageLane, READ_MARK } from './senders.ts'
import { createTyping } from './typing.ts'

export interface ConversationState {
  /** Oldest first; what is not sent yet last. */
  messages: readonly ChatMessage[]
  loaded: boolean
  /** There are older ones: `loadOlder`. */
  hasOlder: boolean
  /** `User.id`s of the others who write at the moment. */
  typing: readonly string[]
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** One conversation. What it is asked to send is shown at once. */
export interface Conversation extends Store<ConversationState> {
  readonly id: number
  /**
   * Shows the message as `sending`, and sends it: in the order of the calls, over lost answers and reloads, until the
   * office has it once. Never rejects: the message says what became of it.
   */
  send(content: string, options?: { parentMessageId?: number }): Promise<void>
  /** Sends again what is `refused`, or what is `waiting` without waiting any longer. */
  resend(clientMessageId: string): Promise<void>
  /** Deletes what is not sent, unless it is on its way. */
  discard(clientMessageId: string): Promise<void>
  /** Never rejects: `error` of the state says what is wrong. */
  loadOlder(): Promise<void>
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
  receive(row: MessageRow): void
  /** Somebody else writes. */
  receiveTyping(userId: string): void
  /** The office has taken a message of the outbox. */
  receiveSent(row: MessageRow): void
  /** What of this conversation is in the outbox. */
  showUnsent(items: readonly OutboxItem[]): void
  close(): void
}

const PAGE = 50

export function createConversation(
  data: ChatData,
  outbox: Pick<Outbox, 'put' | 'again' | 'drop'>,
  id: number,
): ConversationControl {
  const store = createStore<ConversationState>({
    messages: [],
    loaded: false,
    hasOlder: false,
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
  const setMessages = (change: (messages: readonly ChatMessage[]) => readonly ChatMessage[]) =>
    closed ||
    store.update((state) => {
      const messages = change(state.messages)
      return messages === state.messages ? state : { ...state, messages }
    })
  const idsNow = () => store.get().messages.flatMap(({ message_id }) => message_id ?? [])

  const read = async (older: boolean) => {
    try {
      const before = idsNow()
      const rows = await data.messages(id, PAGE, older && before[0] !== undefined ? before[0] : undefined)
      if (closed) return
      store.update(({ messages, hasOlder, loaded, typing }) => {
        // where the page does not reach what is known, there is a hole between them: begin again with the page
        const joins =
          older || !loaded || rows.length < PAGE || rows.some((row) => before.includes(row.message_id))
        const kept = joins ? messages : messages.filter(({ message_id }) => message_id === undefined)
        const more = older || !loaded || !joins ? rows.length === PAGE : hasOlder
        return { messages: withRows(kept, rows), loaded: true, hasOlder: more, typing }
      })
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
    async send(content, { parentMessageId } = {}) {
      const client_message_id = randomId()
      const body: NewMessage = {
        conversation_id: id,
        content,
        parent_message_id: parentMessageId ?? null,
        client_message_id,
      }
      await outbox.put({ kind: MESSAGE, lane: messageLane(id), id: client_message_id, body })
    },
    resend: outbox.again,
    discard: outbox.drop,
    loadOlder: () => read(true),
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
      setMessages((messages) => withRows(messages, [row]))
    },
    receiveTyping: (userId) => void (closed || typing.hear(userId)),
    receiveSent: (row) => void setMessages((messages) => withRows(messages, [row])),
    showUnsent(items) {
      unsent = items
      setMessages((messages) => withUnsent(messages, unsent, me))
    },
    close() {
      closed = true
      typing.close()
    },
  }
}
