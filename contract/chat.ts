import Type from 'typebox'
import { ConversationId, MessageRow, messageRowExample } from './chat-rows.ts'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Chat'

/** Chat data are served to PostgREST clients: no operations, but names of functions and tables below this path. */
export const CHAT_DATA_PATH = '/rest/v1'
export const CHAT_FUNCTIONS = [
  'open_dm',
  'open_conversation',
  'open_room_conversation',
  'get_conversations',
  'get_recent_dms',
  'get_conversation_messages',
  'update_read_cursor',
  'update_presence',
  'get_recent_dm_presence',
] as const
/** Those that may be read. Messages may be inserted too. */
export const CHAT_TABLES = ['conversations', 'conversation_members', 'messages', 'presence'] as const

const code = (name: string) => `\`${name}\``
const functionPaths = CHAT_FUNCTIONS.map((name) => code(`POST ${CHAT_DATA_PATH}/rpc/${name}`))
const tablePaths = CHAT_TABLES.map((name) => code(`GET ${CHAT_DATA_PATH}/${name}`))

/** What the chapter has beside its operations. */
export const chatNote = [
  `Conversations, messages and who is there are data of ${code(CHAT_DATA_PATH)}, for an unmodified PostgREST client with the token of this chapter; they are described in ${code('docs/chat.md')} of the source.`,
  `Functions: ${functionPaths.join(', ')}.`,
  `Rows: ${tablePaths.join(', ')}; ${code(`POST ${CHAT_DATA_PATH}/messages`)} sends.`,
  'Errors are those of PostgREST: `{code, message, details, hint}`.',
].join('\n\n')

/** The shortest time between two notices of a member's typing in one conversation. */
export const TYPING_SECONDS = 2

const messageAddress = { message_id: Type.Integer(), conversation_id: Type.Integer() }

/** Published by triggers of the database, by the function `append_event`. */
export const chatEvents = {
  new_message: realtimeEvent({
    scopes: ['user'],
    summary: 'A message was sent: to every member of its conversation but the sender.',
    data: Type.Object({
      ...messageAddress,
      sender_id: Type.Integer({ description: '`User.id` as a number; 0: a guest of the room' }),
      content: Type.String({ description: 'The first 200 characters' }),
      created_at: Timestamp,
    }),
    example: {
      message_id: 1_207,
      conversation_id: 18,
      sender_id: 42,
      content: 'Lunch?',
      created_at: '2026-03-23T11:58:04.512+00:00',
    },
  }),
  'message.created': realtimeEvent({
    scopes: ['user'],
    summary: 'A message was sent: the whole row, to every member of its conversation.',
    data: MessageRow,
    example: messageRowExample,
  }),
  'conversation.joined': realtimeEvent({
    scopes: ['user'],
    summary:
      'Somebody is a member of a group, or of the conversation of a room, now: they opened it, or somebody else did, or they are in the room. To them alone. Of a conversation of two the first message tells.',
    data: Type.Object({
      conversation_id: Type.Integer(),
      type: words(['GROUP', 'ROOM'] as const),
      title: nullable(Type.String({ description: 'Of a group that has one, or the name of the room' })),
      room_id: nullable(Type.String({ description: 'A UUID' })),
    }),
    example: { conversation_id: 19, type: 'GROUP', title: 'Spring release', room_id: null },
  }),
  'conversation.typing': realtimeEvent({
    scopes: ['user'],
    summary: `Somebody is writing in a conversation: to its other members who are connected, at most once in ${TYPING_SECONDS} seconds. Kept nowhere: it does not come after a gap.`,
    data: Type.Object({
      conversationId: Type.Integer(),
      userId: Type.String({ description: 'Who writes: a User.id' }),
    }),
    example: { conversationId: 19, userId: '42' },
  }),
  'conversation.read': realtimeEvent({
    scopes: ['user'],
    summary: 'A conversation was read up to a message: to the reader, on all their devices.',
    data: Type.Object({
      conversation_id: Type.Integer(),
      last_read_message_id: Type.Integer(),
      unread_count: Type.Optional(
        Type.Integer({ description: 'What is unread after that message; of groups and rooms' }),
      ),
    }),
    example: { conversation_id: 18, last_read_message_id: 1_207 },
  }),
} as const

export const chatOperations = {
  mintChatToken: operation({
    method: 'POST',
    path: '/api/v1/realtime/token',
    summary: `Get a token for the chat data under ${CHAT_DATA_PATH}`,
    description:
      'For a PostgREST client: its bearer token (docs/chat.md). Bound to the active organization: after a switch, ask again. Refresh it about 5 minutes before it expires.',
    chapter,
    access: { kind: 'organization' },
    replies: {
      200: Type.Object(
        {
          token: Type.String({
            description: 'JWT (HS256), 1 hour; aud and role `authenticated`, user_id, org_id',
          }),
        },
        { title: 'ChatToken' },
      ),
    },
  }),
  tellTyping: operation({
    method: 'POST',
    path: '/api/v1/chat/typing',
    summary: 'Tell the others in a conversation that the caller is writing',
    description: `They hear \`conversation.typing\` at most once in ${TYPING_SECONDS} seconds; what comes between is 204 too, and goes no further. Nobody hears it of somebody who appears offline. Kept nowhere.`,
    chapter,
    access: { kind: 'organization', bots: true },
    body: Type.Object({ conversationId: ConversationId }),
    replies: { 204: null },
    errors: ['conversation-not-found', 'conversation-closed'],
  }),
} as const
