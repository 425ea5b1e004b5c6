import type { CHAT_FUNCTIONS, CHAT_TABLES } from '@atrium/contract'

/**
 * What `/rest/v1` knows by name. Nothing else ever becomes part of a statement: names of a request are looked up here,
 * values travel beside the text.
 */

/** Something that has rows: a table, or the answer of a function. */
export interface Relation {
  name: string
  /** It is there, and nothing of it is shown. */
  closed?: true
  /** What the database calls it, where that differs. */
  storedAs?: string
  columns: readonly string[]
  /** Where rows move when they are written: what they are ordered by in the end, so that their order does not tell of it. */
  orderedBy?: readonly string[]
}

const MESSAGE_COLUMNS = [
  'message_id',
  'sender_id',
  'content',
  'parent_message_id',
  'reply_count',
  'is_edited',
  'is_deleted',
  'created_at',
] as const

/** Tables as the role may read them. */
export const TABLES: ReadonlyMap<string, Relation> = named<
  Relation & { name: (typeof CHAT_TABLES)[number] | 'reactions' | 'attachments' }
>([
  {
    name: 'conversations',
    columns: [
      ...['conversation_id', 'org_id', 'type', 'title', 'room_id', 'low_user_id', 'high_user_id'],
      ...['created_at', 'updated_at'],
    ],
  },
  {
    name: 'conversation_members',
    storedAs: 'conversation_member_rows',
    // a reader moves their own row
    orderedBy: ['conversation_id', 'user_id'],
    columns: ['conversation_id', 'user_id', 'org_id', 'last_read_message_id', 'joined_at'],
  },
  {
    name: 'messages',
    storedAs: 'message_rows',
    columns: [...MESSAGE_COLUMNS, 'conversation_id', 'org_id', 'client_message_id', 'updated_at'],
  },
  { name: 'presence', storedAs: 'chat_presence_rows', columns: ['user_id', 'status', 'last_seen_at'] },
  { name: 'reactions', closed: true, columns: [] },
  { name: 'attachments', closed: true, columns: [] },
])

/** What a sender says of a message, with types. Every other column of it is the server's to set. */
export const SENT_COLUMNS = {
  conversation_id: 'bigint',
  content: 'text',
  parent_message_id: 'bigint',
  client_message_id: 'uuid',
} as const

/** A function that may be called. */
export interface RemoteFunction extends Relation {
  /** Parameters with their types. */
  parameters: Readonly<Record<string, string>>
  required: readonly string[]
  /** Changes nothing: it may be called by GET. */
  stable: boolean
  /** The parameter of which each item is worth a call. */
  worthEach?: string
}

const PAGE = { p_limit: 'integer', p_cursor: 'timestamptz' }
/** Of the other person of a conversation of two. */
const PEER_COLUMNS = [
  'peer_user_id',
  'peer_email',
  'peer_display_name',
  'peer_avatar_url',
  'peer_status',
  'peer_last_seen_at',
] as const
/** What has happened in a conversation. */
const ACTIVITY_COLUMNS = [
  'last_message_content',
  'last_message_sender',
  'last_message_at',
  'unread_count',
  'updated_at',
] as const

const functions: Record<(typeof CHAT_FUNCTIONS)[number], Omit<RemoteFunction, 'name'>> = {
  get_recent_dms: {
    parameters: PAGE,
    required: [],
    stable: true,
    columns: ['conversation_id', ...PEER_COLUMNS, ...ACTIVITY_COLUMNS],
  },
  get_conversations: {
    parameters: PAGE,
    required: [],
    stable: true,
    columns: [
      ...['conversation_id', 'type', 'title', 'room_id', 'members'],
      ...PEER_COLUMNS,
      ...ACTIVITY_COLUMNS,
    ],
  },
  get_conversation_messages: {
    parameters: { p_conversation_id: 'bigint', p_limit: 'integer', p_cursor: 'bigint' },
    required: ['p_conversation_id'],
    stable: true,
    columns: MESSAGE_COLUMNS,
  },
  get_recent_dm_presence: {
    parameters: PAGE,
    required: [],
    stable: true,
    columns: ['user_id', 'status', 'last_seen_at'],
  },
  open_dm: {
    parameters: { p_peer_user_id: 'bigint' },
    required: ['p_peer_user_id'],
    stable: false,
    columns: ['conversation_id', 'peer_user_id'],
  },
  open_conversation: {
    parameters: { p_user_ids: 'bigint[]', p_title: 'text' },
    required: ['p_user_ids'],
    stable: false,
    // each of them is told of it
    worthEach: 'p_user_ids',
    columns: ['conversation_id'],
  },
  open_room_conversation: {
    parameters: { p_room_id: 'uuid' },
    required: ['p_room_id'],
    stable: false,
    columns: ['conversation_id'],
  },
  update_read_cursor: {
    parameters: { p_conversation_id: 'bigint', p_last_read_message_id: 'bigint' },
    required: ['p_conversation_id', 'p_last_read_message_id'],
    stable: false,
    columns: [],
  },
  update_presence: {
    parameters: { p_status: 'text' },
    required: ['p_status'],
    stable: false,
    columns: [],
  },
}

export const FUNCTIONS: ReadonlyMap<string, RemoteFunction> = named(
  Object.entries(functions).map(([name, one]) => ({ name, ...one })),
)

function named<Item extends { name: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.name, item]))
}
