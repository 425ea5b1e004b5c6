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

/** A message of the office: it has an id. */
export interface KnownMessage extends ChatMessage {
  message_id: number
}

/** As a page shows it, or as an event says it: what an event leaves out is as it was. */
type Row = MessageRow &
  Partial<Pick<MessageShown, 'editedAt' | 'attachments'>> & {
    reactions?: readonly (Omit<Reaction, 'mine'> & { mine?: boolean })[]
  }

/** The messages with those rows among them: each once, in the order of the office. */
export function withRows(list: readonly KnownMessage[], rows: readonly Row[]): KnownMessage[] {
  const known = new Map(list.map((message) => [message.message_id, message]))
  for (const row of rows) known.set(row.message_id, messageOf(row, known.get(row.message_id)))
  return [...known.values()].sort((one, other) => one.message_id - other.message_id)
}

/** The messages with one more answer counted at what a new row answers: no event tells of the count. */
export function withAnswer(
  list: readonly KnownMessage[],
  { message_id: id, parent_message_id: parent }: Pick<MessageRow, 'message_id' | 'parent_message_id'>,
): readonly KnownMessage[] {
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
  const arrived = new Set(list.map(({ client_message_id }) => client_message_id))
  return [...list, ...items.filter(({ id }) => !arrived.has(id)).map((item) => unsentMessage(item, me))]
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

function messageOf(row: Row, before: KnownMessage | undefined): KnownMessage {
  // what was said of it earlier arrives late
  if (before && before.updated_at > row.updated_at) return before
  const { conversation_id: _, org_id: __, guest = before?.guest, mentionsRoom, ...shown } = row
  return {
    ...shown,
    client_message_id: row.client_message_id ?? before?.client_message_id,
    ...(guest && { guest }),
    editedAt: row.editedAt ?? null,
    reactions: reactionsOf(row, before),
    attachments: row.attachments ?? before?.attachments ?? [],
    mentions: row.mentions ?? [],
    ...(mentionsRoom && { mentionsRoom }),
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
