import Type from 'typebox'
import {
  AttachmentId,
  ConversationId,
  FILES_PER_MESSAGE_MAX,
  Message,
  MessageContent,
  MessageId,
  messageRowExample,
  ToldMessage,
} from './chat-rows.ts'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { nullable, Timestamp } from './shapes.ts'

const chapter = 'Chat'
const access = { kind: 'organization', bots: true } as const

/** Kinds of reactions on one message at most. */
export const REACTION_KINDS_MAX = 20

const nextPage = (which: string) =>
  nullable(Type.Integer({ description: `Give it back as \`${which}\`; null: there are none` }))

/** Published by functions of the database. */
export const chatMessageEvents = {
  'message.updated': realtimeEvent({
    scopes: ['user'],
    summary: 'A message was edited: to every member of its conversation.',
    data: ToldMessage,
    example: {
      ...messageRowExample,
      content: 'Lunch at one?',
      is_edited: true,
      editedAt: '2026-03-23T11:59:10.020+00:00',
      updated_at: '2026-03-23T11:59:10.020+00:00',
      reactions: [{ emoji: '👍', count: 1, userIds: ['43'] }],
      attachments: [],
      mentions: [],
    },
  }),
  'message.deleted': realtimeEvent({
    scopes: ['user'],
    summary:
      'A message was deleted: to every member of its conversation. What answered it stays, and shows an empty message above it.',
    data: Type.Object({
      messageId: Type.Integer(),
      conversationId: Type.Integer(),
      parentMessageId: nullable(Type.Integer()),
    }),
    example: { messageId: 1_207, conversationId: 18, parentMessageId: null },
  }),
  'reaction.changed': realtimeEvent({
    scopes: ['user'],
    summary:
      'Somebody has reacted to a message, or took their reaction back: to every member of its conversation.',
    data: Type.Object({
      messageId: Type.Integer(),
      conversationId: Type.Integer(),
      emoji: Type.String(),
      count: Type.Integer({ description: 'How many reactions of that kind there are now' }),
      userId: Type.String({ description: 'Whose: a User.id' }),
      added: Type.Boolean(),
    }),
    example: {
      messageId: 1_207,
      conversationId: 18,
      emoji: '👍',
      count: 2,
      userId: '42',
      added: true,
    },
  }),
} as const

const reaction = Type.Object({
  messageId: MessageId,
  emoji: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'One emoji that Unicode recommends for interchange (RGI): `👍`, `👍🏽`, `❤️`',
  }),
})

export const chatMessageOperations = {
  listMessages: operation({
    method: 'POST',
    path: '/api/v1/chat/messages/list',
    summary: 'Read messages of a conversation, or of one thread of it',
    description:
      'Oldest first: the newest ones, those before or after a message, or those around one, or around a moment. One of `before`, `after`, `around` and `from` at most.',
    chapter,
    access,
    body: Type.Object({
      conversationId: ConversationId,
      parentMessageId: Type.Optional(
        Type.Integer({ ...MessageId, description: 'Only the replies to this message' }),
      ),
      before: Type.Optional(MessageId),
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '0: from the first one on',
        }),
      ),
      around: Type.Optional(MessageId),
      from: Type.Optional(
        Type.String({
          ...Timestamp,
          maxLength: 40,
          description: 'Around the first message of this moment or after it, else around the last one',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 where not given' })),
    }),
    replies: {
      200: Type.Object({
        messages: Type.Array(Message),
        before: nextPage('before'),
        after: nextPage('after'),
      }),
    },
    errors: ['conversation-not-found'],
  }),
  sendMessage: operation({
    method: 'POST',
    path: '/api/v1/chat/messages/send',
    summary: 'Send a message',
    description:
      'Sent again with the same `clientMessageId` it is there once, and the reply is that message. Under the limits of `POST /rest/v1/messages`. A text, files, or both: a message without a text is called by the names of its files.',
    chapter,
    access,
    body: Type.Object(
      {
        conversationId: ConversationId,
        content: Type.Optional(MessageContent),
        attachmentIds: Type.Optional(
          Type.Array(AttachmentId, {
            minItems: 1,
            maxItems: FILES_PER_MESSAGE_MAX,
            description: 'Finished uploads of the caller for this conversation, in this order',
          }),
        ),
        parentMessageId: Type.Optional(
          Type.Integer({
            ...MessageId,
            description: 'What it answers: an earlier message of the conversation',
          }),
        ),
        clientMessageId: Type.Optional(Type.String({ format: 'uuid', minLength: 36, maxLength: 36 })),
      },
      { examples: [{ conversationId: 18, content: 'Shall we meet at ten?' }] },
    ),
    replies: { 201: Message },
    errors: ['conversation-not-found', 'conversation-closed', 'message-not-found', 'attachment-not-found'],
  }),
  editMessage: operation({
    method: 'POST',
    path: '/api/v1/chat/messages/edit',
    summary: 'Change the text of one’s own message',
    description:
      'For as long as the limit `edit-minutes` says. The last one wins, unless `updatedAt` says what was known of it. Nothing keeps the text of before.',
    chapter,
    access,
    body: Type.Object({
      messageId: MessageId,
      content: MessageContent,
      updatedAt: Type.Optional(
        Type.String({ ...Timestamp, maxLength: 40, description: '`updated_at` as the caller knows it' }),
      ),
    }),
    replies: { 200: Message },
    errors: [
      ...(['message-not-found', 'message-of-another', 'conversation-closed'] as const),
      ...(['changed-meanwhile', 'edit-window-over'] as const),
    ],
  }),
  deleteMessage: operation({
    method: 'POST',
    path: '/api/v1/chat/messages/delete',
    summary: 'Delete a message',
    description:
      'One’s own, for as long as the limit `edit-minutes` says; moderators also those of others, in groups and rooms. It stays as an empty one, so that what answered it has something above it.',
    chapter,
    access,
    body: Type.Object({ messageId: MessageId }),
    replies: { 204: null },
    errors: ['message-not-found', 'message-of-another', 'edit-window-over'],
  }),
  addReaction: operation({
    method: 'POST',
    path: '/api/v1/chat/reactions/add',
    summary: 'React to a message',
    description: `One of each kind by a person, ${REACTION_KINDS_MAX} kinds on a message.`,
    chapter,
    access,
    budgets: ['reactions-per-user'],
    body: reaction,
    replies: { 204: null },
    errors: ['message-not-found', 'conversation-closed', 'too-many-reactions'],
  }),
  removeReaction: operation({
    method: 'POST',
    path: '/api/v1/chat/reactions/remove',
    summary: 'Take a reaction back',
    chapter,
    access,
    body: reaction,
    replies: { 204: null },
    errors: ['message-not-found'],
  }),
} as const
