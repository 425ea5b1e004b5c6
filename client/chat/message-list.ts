import type { OutboxItem } from '../outbox/outbox.ts'
import type { ChatUserId, MessageRow, MessageShown, NewMessage } from './chat-data.ts'
import type { Reaction } from './reactions.ts'

/** A change that the office has not taken yet, as a screen shows it beside its message. */
export interface PendingChange {
  /** For `resend` and `discard`. */
  id: string
  kind: 'edit' | 'delete'
  state: OutboxItem['state']
  /** Of an edit: what it shall say. */
  content?: string
  error?: unknown
}

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
  updated_at: string
  editedAt: string | null
  reactions: readonly Reaction[]
  attachments: MessageShown['attachments']
  /** `User.id`s. */
  mentions: readonly string[]
  mentionsRoom?: boolean
  /** An edit or a deletion that the office has not taken yet, or has refused. */
  change?: PendingChange
  /**
   * `waiting`: it is sent again by itself, `error` says why it was not. `refused`: it is not; `error` says why, with
   * `status`, `error` and `message` as `AtriumError` has them.
   */
  state: 'sent' | 'sending' | 'waiting' | 'refused'
  error?: unknown
}

/** As a page shows it, or as an event says it: what an event leaves out is as it was. */
type Row = MessageRow &
  Partial<Pick<MessageShown, 'editedAt' | 'attachments'>> & {
    reactions?: readonly (Omit<Reaction, 'mine'> & { mine?: boolean })[]
  }

/** The messages with those rows among them: each once, in the order of the office, what is not sent last. */
export function withRows(list: readonly ChatMessage[], rows: readonly Row[]): ChatMessage[] {
  const sent = new Map<number, ChatMessage>()
  for (const message of list) if (message.message_id !== undefined) sent.set(message.message_id, message)
  const arrived = new Set<string>()
  for (const row of rows) {
    const known = row.client_message_id ?? sent.get(row.message_id)?.client_message_id
    if (known !== undefined) arrived.add(known)
    sent.set(row.message_id, messageOf(row, known, sent.get(row.message_id)))
  }
  const pending = list.filter(
    ({ message_id, client_message_id }) =>
      message_id === undefined && !(client_message_id !== undefined && arrived.has(client_message_id)),
  )
  return [...[...sent.values()].sort(byId), ...pending]
}

/** The messages with one more answer counted at what a new row answers: no event tells of the count. */
export function withAnswer(
  list: readonly ChatMessage[],
  { message_id: id, parent_message_id: parent }: Pick<MessageRow, 'message_id' | 'parent_message_id'>,
): readonly ChatMessage[] {
  if (parent === null || list.some((message) => message.message_id === id)) return list
  return list.map((message) =>
    message.message_id === parent ? { ...message, reply_count: message.reply_count + 1 } : message,
  )
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
  const { content, parent_message_id, attachments = [] } = item.body as NewMessage
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
    updated_at: new Date(item.at).toISOString(),
    editedAt: null,
    reactions: [],
    attachments: [...attachments],
    mentions: [],
    state: item.state,
    ...(item.error === undefined ? {} : { error: item.error }),
  }
}

function messageOf(
  row: Row,
  clientMessageId: string | undefined,
  before: ChatMessage | undefined,
): ChatMessage {
  // what was said of it earlier arrives late
  if (before && before.updated_at > row.updated_at) return before
  const guest = row.guest ?? before?.guest
  return {
    message_id: row.message_id,
    client_message_id: clientMessageId,
    sender_id: row.sender_id,
    ...(guest && { guest }),
    content: row.content,
    parent_message_id: row.parent_message_id,
    reply_count: row.reply_count,
    is_edited: row.is_edited,
    is_deleted: row.is_deleted,
    created_at: row.created_at,
    updated_at: row.updated_at,
    editedAt: row.editedAt ?? null,
    reactions: reactionsOf(row, before),
    attachments: row.attachments ?? before?.attachments ?? [],
    mentions: row.mentions ?? [],
    ...(row.mentionsRoom && { mentionsRoom: true }),
    state: 'sent',
  }
}

/** Events say nothing of what is mine: that is as it was. */
function reactionsOf({ reactions }: Row, before: ChatMessage | undefined): readonly Reaction[] {
  const known = before?.reactions ?? []
  return (
    reactions?.map((one) => ({
      ...one,
      mine: one.mine ?? known.find(({ emoji }) => emoji === one.emoji)?.mine ?? false,
    })) ?? known
  )
}

function byId(one: ChatMessage, other: ChatMessage): number {
  return (one.message_id ?? 0) - (other.message_id ?? 0)
}
