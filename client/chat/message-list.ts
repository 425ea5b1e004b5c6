import type { OutboxItem } from '../outbox/outbox.ts'
import type { ChatUserId, NewMessage, PageRow } from './chat-data.ts'

/** A message as a screen shows it. Without `message_id` as long as the office has not got it. */
export interface ChatMessage {
  message_id: number | undefined
  /** Names a message of this client before it has an id, for `resend`; undefined for messages of others. */
  client_message_id: string | undefined
  /** Undefined for a moment: of a message of one's own, before the office has said who one is. */
  sender_id: ChatUserId | undefined
  /** Of a guest of the room, whose `sender_id` is 0; undefined where their name is not known. */
  guest?: { identity: string; name: string }
  content: string
  parent_message_id: number | null
  reply_count: number
  is_edited: boolean
  is_deleted: boolean
  created_at: string
  /**
   * `waiting`: it is sent again by itself, `error` says why it was not. `refused`: it is not; `error` says why, with
   * `status`, `error` and `message` as `AtriumError` has them.
   */
  state: 'sent' | 'sending' | 'waiting' | 'refused'
  error?: unknown
}

type Row = PageRow & { client_message_id?: string | null }

/** The messages with those rows among them: each once, in the order of the office, what is not sent last. */
export function withRows(list: readonly ChatMessage[], rows: readonly Row[]): ChatMessage[] {
  const sent = new Map<number, ChatMessage>()
  for (const message of list) if (message.message_id !== undefined) sent.set(message.message_id, message)
  const arrived = new Set<string>()
  for (const row of rows) {
    const known = row.client_message_id ?? sent.get(row.message_id)?.client_message_id
    if (known !== undefined) arrived.add(known)
    const guest = row.guest ?? sent.get(row.message_id)?.guest
    sent.set(row.message_id, { ...messageOf(row, known), ...(guest && { guest }) })
  }
  const pending = list.filter(
    ({ message_id, client_message_id }) =>
      message_id === undefined && !(client_message_id !== undefined && arrived.has(client_message_id)),
  )
  return [...[...sent.values()].sort(byId), ...pending]
}

/** The messages with what is not sent yet at their end, as the outbox has it. */
export function withUnsent(
  list: readonly ChatMessage[],
  items: readonly OutboxItem[],
  me: ChatUserId | undefined,
): readonly ChatMessage[] {
  const sent = list.filter(({ message_id }) => message_id !== undefined)
  const arrived = new Set(sent.map(({ client_message_id }) => client_message_id))
  const unsent = items.filter(({ id }) => !arrived.has(id)).map((item) => unsentMessage(item, me))
  const before = list.slice(sent.length)
  const isSame =
    before.length === unsent.length && unsent.every((message, at) => isAlike(message, before[at]))
  return isSame ? list : [...sent, ...unsent]
}

function isAlike({ client_message_id, state, error, sender_id }: ChatMessage, other?: ChatMessage): boolean {
  return (
    other !== undefined &&
    client_message_id === other.client_message_id &&
    state === other.state &&
    error === other.error &&
    sender_id === other.sender_id
  )
}

function unsentMessage(item: OutboxItem, me: ChatUserId | undefined): ChatMessage {
  const { content, parent_message_id } = item.body as NewMessage
  return {
    message_id: undefined,
    client_message_id: item.id,
    sender_id: me,
    content,
    parent_message_id,
    reply_count: 0,
    is_edited: false,
    is_deleted: false,
    created_at: new Date(item.at).toISOString(),
    state: item.state,
    ...(item.error === undefined ? {} : { error: item.error }),
  }
}

function messageOf(row: Row, clientMessageId: string | undefined): ChatMessage {
  return {
    message_id: row.message_id,
    client_message_id: clientMessageId,
    sender_id: row.sender_id,
    content: row.content,
    parent_message_id: row.parent_message_id,
    reply_count: row.reply_count,
    is_edited: row.is_edited,
    is_deleted: row.is_deleted,
    created_at: row.created_at,
    state: 'sent',
  }
}

function byId(one: ChatMessage, other: ChatMessage): number {
  return (one.message_id ?? 0) - (other.message_id ?? 0)
}
