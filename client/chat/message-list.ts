import type { ChatUserId, PageRow } from './chat-data.ts'

/** A message as a screen shows it. Without `message_id` as long as the office has not got it. */
export interface ChatMessage {
  message_id: number | undefined
  /** Names a message of this client before it has an id, for `resend`; undefined for messages of others. */
  client_message_id: string | undefined
  /** Undefined for a moment: of a message of one's own, before the office has said who one is. */
  sender_id: ChatUserId | undefined
  content: string
  parent_message_id: number | null
  reply_count: number
  is_edited: boolean
  is_deleted: boolean
  created_at: string
  /** `waiting`: the office could not be reached; it is sent again when it can. `refused`: `error` says why. */
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
    sent.set(row.message_id, messageOf(row, known))
  }
  const pending = list.filter(
    ({ message_id, client_message_id }) =>
      message_id === undefined && !(client_message_id !== undefined && arrived.has(client_message_id)),
  )
  return [...[...sent.values()].sort(byId), ...pending]
}

/** The messages, one of them changed. */
export function withChange(
  list: readonly ChatMessage[],
  clientMessageId: string,
  change: Partial<Pick<ChatMessage, 'state' | 'error'>>,
): ChatMessage[] {
  return list.map((message) => {
    if (message.client_message_id !== clientMessageId || message.message_id !== undefined) return message
    const { error: _, ...rest } = message
    return { ...rest, ...change }
  })
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
