import { AtriumUnreachable } from '../errors.ts'
import { randomId } from '../requests/random-id.ts'
import { createStore, type Store } from '../store.ts'
import type { ChatData, ChatUserId, MessageRow } from './chat-data.ts'
import { type ChatMessage, withChange, withRows } from './message-list.ts'
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
  /** Shows the message as `sending`, and sends it. Never rejects: the message says what became of it. */
  send(content: string, options?: { parentMessageId?: number }): Promise<void>
  /** Sends again what is `refused` or `waiting`; it is there once, whatever became of the tries before. */
  resend(clientMessageId: string): Promise<void>
  /** Never rejects: `error` of the state says what is wrong. */
  loadOlder(): Promise<void>
  /** Reads what came since, or the last messages where much has. Never rejects. */
  refresh(): Promise<void>
  /** Says that one is writing: call it with every key, it is told once in a while. */
  tellTyping(): void
  /** Says that everything that is shown was read. Rejects as `call` does. */
  markRead(): Promise<void>
}

/** What chat does with a conversation beside its callers. */
export interface ConversationControl {
  conversation: Conversation
  receive(row: MessageRow): void
  /** Somebody else writes. */
  receiveTyping(userId: string): void
  resendWaiting(): void
  close(): void
}

const PAGE = 50

export function createConversation(data: ChatData, id: number): ConversationControl {
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
  let delivering = Promise.resolve()
  let me: ChatUserId | undefined
  const setMessages = (change: (messages: readonly ChatMessage[]) => ChatMessage[]) =>
    closed || store.update((state) => ({ ...state, messages: change(state.messages) }))
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
  const deliver = async (message: ChatMessage) => {
    const { client_message_id = '', content, parent_message_id } = message
    setMessages((messages) => withChange(messages, client_message_id, { state: 'sending' }))
    try {
      const row = await data.send({ conversation_id: id, content, parent_message_id, client_message_id })
      setMessages((messages) => withRows(messages, [row]))
    } catch (error) {
      const state = error instanceof AtriumUnreachable ? 'waiting' : 'refused'
      setMessages((messages) => withChange(messages, client_message_id, { state, error }))
    }
  }
  const learnWhoAsks = async () => {
    me = await data.me()
    setMessages((messages) =>
      messages.map((message) => (message.sender_id === undefined ? { ...message, sender_id: me } : message)),
    )
  }
  // where it fails, the reading fails too, and says so
  learnWhoAsks().catch(() => {})
  void read(false)

  const conversation: Conversation = {
    id,
    get: store.get,
    subscribe: store.subscribe,
    async send(content, { parentMessageId } = {}) {
      const message = newMessage(content, parentMessageId ?? null, me)
      setMessages((messages) => [...messages, message])
      // in the order of the calls, also where a message before this one takes its time
      delivering = delivering.then(() => deliver(message))
      await delivering
    },
    async resend(clientMessageId) {
      const message = store.get().messages.find((one) => one.client_message_id === clientMessageId)
      if (message?.state === 'refused' || message?.state === 'waiting') await deliver(message)
    },
    loadOlder: () => read(true),
    refresh: () => read(false),
    tellTyping: typing.tell,
    async markRead() {
      const last = idsNow().at(-1)
      if (last !== undefined) await data.markRead(id, last)
    },
  }
  return {
    conversation,
    receive(row) {
      typing.sent(String(row.sender_id))
      setMessages((messages) => withRows(messages, [row]))
    },
    receiveTyping: (userId) => void (closed || typing.hear(userId)),
    resendWaiting() {
      for (const message of store.get().messages) if (message.state === 'waiting') void deliver(message)
    },
    close() {
      closed = true
      typing.close()
    },
  }
}

function newMessage(
  content: string,
  parent_message_id: number | null,
  sender_id: ChatUserId | undefined,
): ChatMessage {
  return {
    message_id: undefined,
    client_message_id: randomId(),
    sender_id,
    content,
    parent_message_id,
    reply_count: 0,
    is_edited: false,
    is_deleted: false,
    created_at: new Date().toISOString(),
    state: 'sending',
  }
}
