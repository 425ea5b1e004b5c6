import Type from 'typebox'
import { SaidActivity } from './activity.ts'
import { MESSAGE_SENTENCE, MESSAGE_UNITS_MAX } from './message-text.ts'
import { operation } from './operation.ts'
import { Moment, Timestamp } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

const InviteId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'As `room-auth` of guests answers it: good only with the cookie of a place',
})

/** Most messages in one answer. */
export const GUEST_MESSAGES_MAX = 200

const GuestMessage = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Of whoever wrote it' }),
    guestIdentity: Type.Optional(Type.String({ description: '`guest:<uuid>`, where a guest wrote it' })),
    mine: Type.Boolean(),
    clientMessageId: Type.Optional(Type.String({ description: 'Of one’s own: as it was sent' })),
    content: Type.String(),
    createdAt: Timestamp,
  },
  { title: 'GuestMessage' },
)

const ChangedMessage = Type.Object(
  {
    id: Type.Integer(),
    content: Type.String({ description: '`""` where it was deleted' }),
    isDeleted: Type.Boolean(),
  },
  { title: 'ChangedMessage' },
)

export const guestChatOperations = {
  sendGuestMessage: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/messages/send',
    summary: 'As a guest who is in a room: write in its conversation',
    description:
      'From the admission until the stay ends. Under the limits of messages, as members; sent again with the same `clientMessageId`, it is there once.',
    chapter,
    access: { kind: 'guest' },
    body: Type.Object({
      inviteId: InviteId,
      content: Type.String({
        minLength: 1,
        maxLength: MESSAGE_UNITS_MAX,
        sentence: MESSAGE_SENTENCE,
        description: '1 to 4,000 characters, composed, of which some can be seen',
      }),
      clientMessageId: Type.Optional(Type.String({ format: 'uuid', minLength: 36, maxLength: 36 })),
    }),
    replies: { 204: null },
    errors: ['room-not-found'],
  }),
  listGuestMessages: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/messages/list',
    summary: 'As a guest who is in a room: read its conversation',
    description: `What was written since the latest admission, oldest first, at most ${GUEST_MESSAGES_MAX}: ask again with \`after\`, and with the \`asOf\` of the last answer as \`changedSince\`: what was edited or deleted since then, or shortly before, stands in \`changed\`. At most once a second.`,
    chapter,
    access: { kind: 'guest' },
    body: Type.Object({
      inviteId: InviteId,
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The `id` of the last message that is known',
        }),
      ),
      changedSince: Type.Optional(Moment),
    }),
    replies: {
      200: Type.Object({
        messages: Type.Array(GuestMessage),
        changed: Type.Array(ChangedMessage),
        asOf: Timestamp,
      }),
    },
  }),
  setGuestActivity: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/activity',
    summary: 'As a guest who is in a room: say how you are in it',
    description: 'As `/api/v1/rtc/activity`.',
    chapter,
    access: { kind: 'guest' },
    body: Type.Object({ inviteId: InviteId, ...SaidActivity }),
    replies: { 204: null },
    errors: ['not-inside'],
  }),
} as const
