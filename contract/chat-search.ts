import Type from 'typebox'
import { ConversationId, Message } from './chat-rows.ts'
import { operation } from './operation.ts'
import { nullable, Timestamp, words } from './shapes.ts'

const Moment = (description: string) => Type.String({ ...Timestamp, maxLength: 40, description })

export const chatSearchOperations = {
  searchMessages: operation({
    method: 'POST',
    path: '/api/v1/chat/search',
    summary: 'Find messages of one’s conversations',
    description:
      'Those that have all words of the query: as they are written, from three characters on also as parts of words (in scripts without spaces from one on), and by their stems in the language of the organization. The best first, of equals the newest, of the thousand newest that fit.',
    chapter: 'Chat',
    access: { kind: 'organization', bots: true },
    body: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 200 }),
      conversationId: Type.Optional(ConversationId),
      userId: Type.Optional(
        Type.String({
          pattern: '^[1-9][0-9]{0,17}$',
          minLength: 1,
          maxLength: 18,
          description: 'Who wrote it: a User.id',
        }),
      ),
      from: Type.Optional(Moment('Not before')),
      to: Type.Optional(Moment('Before')),
      has: Type.Optional(words(['file'] as const, { description: 'Only messages with files' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '20 where not given' })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Of an earlier reply' })),
    }),
    replies: {
      200: Type.Object({
        hits: Type.Array(
          Type.Object({
            message: Message,
            highlights: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }), {
              description: 'What was found in `content`, in UTF-16 units',
            }),
          }),
        ),
        cursor: nullable(Type.String({ description: 'Leads to the next ones; null: there are none' })),
      }),
    },
    errors: ['conversation-not-found'],
  }),
} as const
