import Type from 'typebox'
import { MESSAGE_SENTENCE, MESSAGE_UNITS_MAX } from './message-text.ts'
import { nullable, Timestamp } from './shapes.ts'

/** Shapes that several operations and events of chat have. */

const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

export const ConversationId = id('Of a conversation of the caller')
export const MessageId = id('Of a message')

/** Files of one message at most. */
export const FILES_PER_MESSAGE_MAX = 10

export const AttachmentId = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  minLength: 1,
  maxLength: 18,
  description: 'Of a file of chat',
})

export const MessageContent = Type.String({
  minLength: 1,
  maxLength: MESSAGE_UNITS_MAX,
  sentence: MESSAGE_SENTENCE,
  description:
    '1 to 4,000 characters, composed, of which some can be seen; `<@42>` mentions a member of the conversation by their User.id, `<@room>` everybody (moderators)',
})

const mentioned = {
  mentions: Type.Array(Type.String(), { description: 'Who is mentioned: `User.id`s' }),
  mentionsRoom: Type.Optional(
    Type.Boolean({ description: 'Everybody in the conversation is mentioned, by a moderator' }),
  ),
}

const messageRow = {
  message_id: Type.Integer(),
  conversation_id: Type.Integer(),
  org_id: Type.Integer(),
  sender_id: Type.Integer({ description: '`User.id` as a number' }),
  content: Type.String(),
  parent_message_id: nullable(Type.Integer()),
  client_message_id: nullable(Type.String({ format: 'uuid' })),
  reply_count: Type.Integer(),
  is_edited: Type.Boolean(),
  is_deleted: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  guest: Type.Optional(
    Type.Object(
      { identity: Type.String({ description: '`guest:<uuid>`' }), name: Type.String() },
      { description: 'Who wrote it, where that was a guest of the room: `sender_id` is 0 then' },
    ),
  ),
}

export const Attachment = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    contentType: Type.String({ description: 'By the content, where that tells it' }),
    bytes: Type.Integer(),
    width: Type.Optional(Type.Integer({ description: 'Of a picture that is shown, in pixels' })),
    height: Type.Optional(Type.Integer()),
  },
  {
    title: 'Attachment',
    description: 'A file of a message; its bytes are at the address of `attachments/get`',
  },
)

/** What `message.created` carries. */
export const MessageRow = Type.Object(
  {
    ...messageRow,
    ...mentioned,
    mentions: Type.Optional(mentioned.mentions),
    attachments: Type.Optional(Type.Array(Attachment)),
  },
  {
    title: 'MessageRow',
    description:
      'A row of `messages`, as `GET /rest/v1/messages` shows it, whom it mentions and which files it has',
  },
)

const reactionKind = {
  emoji: Type.String(),
  count: Type.Integer(),
  userIds: Type.Array(Type.String(), { description: 'The first 20 who reacted so: `User.id`s' }),
}

const beside = {
  ...mentioned,
  editedAt: nullable(Timestamp),
  attachments: Type.Array(Attachment),
}

/** A message as the operations of chat show it. */
export const Message = Type.Object(
  { ...messageRow, ...beside, reactions: Type.Array(Type.Object({ ...reactionKind, mine: Type.Boolean() })) },
  {
    title: 'Message',
    description: 'A row of `messages`, and what is beside it. Of a deleted one `content` is empty',
  },
)

/** The same as events carry it: to everybody the same, so nothing is `mine`. */
export const ToldMessage = Type.Object(
  {
    ...messageRow,
    ...beside,
    reactions: Type.Array(Type.Object(reactionKind)),
    mentionsAdded: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Who is mentioned since this edit, and was not before: `User.id`s, `room` for everybody',
      }),
    ),
  },
  { title: 'ToldMessage' },
)

export const messageRowExample = {
  message_id: 1_207,
  conversation_id: 18,
  org_id: 7,
  sender_id: 42,
  content: 'Lunch?',
  parent_message_id: null,
  client_message_id: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
  reply_count: 0,
  is_edited: false,
  is_deleted: false,
  created_at: '2026-03-23T11:58:04.512+00:00',
  updated_at: '2026-03-23T11:58:04.512+00:00',
}
