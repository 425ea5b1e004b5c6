import Type from 'typebox'
import { ConversationId, Message, MessageId } from './chat-rows.ts'
import { realtimeEvent } from './event-declaration.ts'
import { MESSAGE_UNITS_MAX } from './message-text.ts'
import { operation } from './operation.ts'
import { nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Chat'
const access = { kind: 'organization', bots: true } as const

/** Which messages of a conversation notify a member. */
export const conversationLevels = ['all', 'mentions', 'none'] as const

const counts = {
  unread: Type.Integer({ description: 'Messages of others that the caller has not read' }),
  mentioned: Type.Integer({ description: 'Those of them that mention the caller' }),
}

/** Published by functions of the database, to the person alone. */
export const chatReadingEvents = {
  'conversation.unread': realtimeEvent({
    scopes: ['user'],
    summary:
      'A conversation was marked as unread from a message on: to the one who did, on all their devices.',
    data: Type.Object({
      conversationId: Type.Integer(),
      lastReadMessageId: nullable(Type.Integer()),
      ...counts,
    }),
    example: { conversationId: 18, lastReadMessageId: 1_206, unread: 1, mentioned: 0 },
  }),
  'conversation.settings': realtimeEvent({
    scopes: ['user'],
    summary:
      'Somebody has changed a draft, what is announced to them of a conversation, or which of its threads they follow: to themself, on all their devices.',
    data: Type.Object({ conversationId: Type.Integer() }),
    example: { conversationId: 18 },
  }),
} as const

const ListedConversation = Type.Object(
  {
    conversationId: Type.Integer(),
    type: words(['DM', 'GROUP', 'ROOM'] as const),
    title: nullable(Type.String({ description: 'Of a group that has one, or the name of the room' })),
    roomId: nullable(Type.String({ description: 'A UUID' })),
    peerUserId: nullable(Type.String({ description: 'The other one of a `DM`: a User.id' })),
    ...counts,
    lastReadMessageId: nullable(Type.Integer({ description: 'Of the caller' })),
    draft: Type.String({ description: 'What the caller has begun to write' }),
    level: words(conversationLevels),
    lastMessage: nullable(Message),
    updatedAt: Timestamp,
  },
  { title: 'Conversation' },
)

const ListedThread = Type.Object(
  {
    message: Message,
    replies: Type.Integer(),
    unread: Type.Integer({
      description: 'Replies of others after what the caller has read of the conversation',
    }),
    follows: nullable(
      Type.Boolean({ description: 'Whether the caller does; null: they have not taken part, nor said so' }),
    ),
    lastReplyAt: nullable(Timestamp),
  },
  { title: 'Thread' },
)

const place = Type.Object({ conversationId: ConversationId, messageId: MessageId })

export const chatReadingOperations = {
  listConversations: operation({
    method: 'POST',
    path: '/api/v1/chat/conversations/list',
    summary: 'List one’s conversations, the one that moved last first',
    chapter,
    access,
    body: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '20 where not given' })),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'Of an earlier reply' }),
      ),
    }),
    replies: {
      200: Type.Object({
        conversations: Type.Array(ListedConversation),
        cursor: nullable(
          Type.String({ description: 'Leads to those that moved before; null: there are none' }),
        ),
      }),
    },
  }),
  setConversationLevel: operation({
    method: 'POST',
    path: '/api/v1/chat/conversations/notify',
    summary: 'Choose which messages of a conversation are announced to the caller',
    chapter,
    access,
    body: Type.Object({ conversationId: ConversationId, level: words(conversationLevels) }),
    replies: { 204: null },
    errors: ['conversation-not-found'],
  }),
  markRead: operation({
    method: 'POST',
    path: '/api/v1/chat/read/mark',
    summary: 'Mark a conversation as read up to a message',
    description: 'Forward only. The caller’s devices hear `conversation.read`, nobody else.',
    chapter,
    access,
    body: place,
    replies: { 204: null },
    errors: ['conversation-not-found', 'message-not-found'],
  }),
  markUnread: operation({
    method: 'POST',
    path: '/api/v1/chat/read/unmark',
    summary: 'Mark a conversation as unread from a message on',
    description: 'The caller’s devices hear `conversation.unread`, nobody else.',
    chapter,
    access,
    body: place,
    replies: { 204: null },
    errors: ['conversation-not-found', 'message-not-found'],
  }),
  setDraft: operation({
    method: 'POST',
    path: '/api/v1/chat/drafts/set',
    summary: 'Keep what the caller has begun to write in a conversation',
    description: 'For all their devices; an empty one is none.',
    chapter,
    access,
    body: Type.Object({
      conversationId: ConversationId,
      content: Type.String({
        maxLength: MESSAGE_UNITS_MAX,
        sentence: 'Enter a draft of at most 4,000 characters',
        description: 'At most 4,000 characters, composed',
      }),
    }),
    replies: { 204: null },
    errors: ['conversation-not-found'],
  }),
  listThreads: operation({
    method: 'POST',
    path: '/api/v1/chat/threads/list',
    summary: 'List the threads that the caller follows, the one with the newest reply first',
    description:
      'Who begins a thread, replies in it or is mentioned in a reply follows it, until they say otherwise (`threads/follow`). With `messageId` that thread alone, followed or not.',
    chapter,
    access,
    body: Type.Object({
      messageId: Type.Optional(
        Type.Integer({ ...MessageId, description: 'The message that a thread began with' }),
      ),
      before: Type.Optional(MessageId),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '20 where not given' })),
    }),
    replies: {
      200: Type.Object({
        threads: Type.Array(ListedThread),
        before: nullable(
          Type.Integer({ description: 'Give it back as `before`; null: there are no others' }),
        ),
      }),
    },
    errors: ['message-not-found'],
  }),
  followThread: operation({
    method: 'POST',
    path: '/api/v1/chat/threads/follow',
    summary: 'Follow a thread, or stop following it',
    description: 'By the message that it began with.',
    chapter,
    access,
    body: Type.Object({ messageId: MessageId, follow: Type.Boolean() }),
    replies: { 204: null },
    errors: ['message-not-found'],
  }),
} as const
