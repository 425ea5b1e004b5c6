import Type from 'typebox'
import { operation } from './operation.ts'
import { Timestamp, words } from './shapes.ts'

const chapter = 'User and avatar'

/** How much a push says: who wrote, or also what. */
export const pushShows = ['who', 'what'] as const
export type PushShows = (typeof pushShows)[number]

/** Bytes in base64url, as browsers write keys of a subscription. */
const Key = (characters: number, sentence: string, example: string) =>
  Type.String({
    pattern: `^[A-Za-z0-9_-]{${characters}}$`,
    minLength: characters,
    maxLength: characters,
    sentence,
    examples: [example],
  })

const PushSubscription = Type.Object(
  {
    id: Type.String(),
    device: Type.String({ description: 'Browser and system; "" where not known' }),
    createdAt: Timestamp,
  },
  { title: 'PushSubscription' },
)

export const pushOperations = {
  subscribeToPush: operation({
    method: 'POST',
    path: '/user/push/subscribe',
    summary: 'Have a browser told of messages and calls while nothing of the office is open',
    description:
      'What `PushManager.subscribe` of a browser answers for `pushKey` of `GET /office`. The subscription belongs to the session in use: it follows it through a switch of the organization and ends with it. It speaks for every organization of the person. An endpoint has one subscription: subscribing it again, from any account, ends the former one. Of more than twenty the oldest ends.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({
      endpoint: Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'https, at a public address',
        examples: ['https://push.example/send/1a2b3c'],
      }),
      keys: Type.Object({
        p256dh: Key(
          87,
          'Give the public key of the subscription: 65 bytes in base64url',
          'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        ),
        auth: Key(22, 'Give the secret of the subscription: 16 bytes in base64url', 'BTBZMqHH6r4Tts7J_aSIgg'),
      }),
      show: words(pushShows),
    }),
    replies: { 201: Type.Object({ id: Type.String() }) },
    errors: ['address-not-public'],
  }),
  listPushSubscriptions: operation({
    method: 'POST',
    path: '/user/push/list',
    summary: 'List the browsers that are told',
    description: 'The newest comes first.',
    chapter,
    access: { kind: 'session' },
    replies: { 200: Type.Object({ subscriptions: Type.Array(PushSubscription) }) },
  }),
  endPushSubscription: operation({
    method: 'POST',
    path: '/user/push/end',
    summary: 'Tell a browser nothing any more',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 128, description: 'Of `subscriptions`' }),
    }),
    replies: { 204: null },
    errors: ['push-subscription-not-found'],
  }),
} as const
