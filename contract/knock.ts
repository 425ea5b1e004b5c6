import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { NameField, RoomId, words } from './shapes.ts'

const chapter = 'Realtime and presence'

/** What the person who was knocked for says. */
const answers = ['accept', 'later', 'no'] as const
/** Longest message of a knock, in characters. */
export const KNOCK_MESSAGE_MAX = 200
/** How long a knock waits for an answer. */
export const KNOCK_SECONDS = 30

const KnockId = Type.String({ minLength: 1, maxLength: 64, description: 'A UUID' })
const knockId = Type.String({ description: 'A UUID' })
const example = { knockId: '2b1f6f0a-5d0e-4f5e-8a53-0f6f4f0b7c11' }

export const knockEvents = {
  'knock.received': realtimeEvent({
    scopes: ['user'],
    summary:
      'Somebody asks for a moment: to all connections of whom they ask. It waits for 30 seconds. The same knock again: they say something else, and it waits anew.',
    data: Type.Object({
      knockId,
      from: Type.String({ description: 'Who asks: a User.id' }),
      roomId: Type.Optional(Type.String({ description: 'Where they would meet' })),
      message: Type.Optional(Type.String()),
      door: Type.Optional(
        Type.Boolean({
          description:
            'They stand at the door of `roomId`: everybody inside is told, and the first answer counts',
        }),
      ),
    }),
    example: { ...example, from: '42', message: 'Two minutes?' },
  }),
  'knock.ended': realtimeEvent({
    scopes: ['user'],
    summary: 'A knock no longer waits: to all connections of both people.',
    data: Type.Object({ knockId, outcome: words([...answers, 'cancelled', 'expired'] as const) }),
    example: { ...example, outcome: 'accept' },
  }),
  'wave.received': realtimeEvent({
    scopes: ['user'],
    summary: 'A colleague says hello: to all connections of whom they wave at. No answer is owed.',
    data: Type.Object({ from: Type.String({ description: 'Who waves: a User.id' }) }),
    example: { from: '42' },
  }),
} as const

export const knockOperations = {
  knock: operation({
    method: 'POST',
    path: '/api/v1/knock',
    summary: 'Ask a colleague for a moment',
    description:
      'Waits for 30 seconds, one at a time for a colleague: asked again meanwhile, the knock that waits is answered; with another room or message it says that from then on, and waits again. Who is busy, offline or appears so is not disturbed, and not told apart: `not-reachable`.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({
      userId: Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' }),
      roomId: Type.Optional(RoomId),
      message: Type.Optional(NameField({ min: 1, max: KNOCK_MESSAGE_MAX, label: 'a message' })),
    }),
    replies: {
      200: Type.Object({ knockId, state: words(['waiting', 'not-reachable'] as const) }),
    },
    errors: ['member-not-found', 'room-not-found', 'room-temporary'],
    budgets: ['knocks-per-user'],
  }),
  talk: operation({
    method: 'POST',
    path: '/api/v1/talk',
    summary: 'Talk with a colleague, in a place for the two of you',
    description:
      'Makes or finds the temporary room of the two, which the caller may enter at once, and knocks with it. Only the two know of the room; it is gone a minute after both have left. Who is busy, offline or appears so is not disturbed, and not told apart: `not-reachable`.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' }) }),
    replies: {
      200: Type.Object({
        knockId,
        roomId: Type.String({ description: 'A UUID' }),
        state: words(['waiting', 'not-reachable'] as const),
      }),
    },
    errors: ['member-not-found'],
    budgets: ['knocks-per-user'],
  }),
  wave: operation({
    method: 'POST',
    path: '/api/v1/wave',
    summary: 'Say hello to a colleague without a word',
    description:
      'Reaches who is online or away, by `wave.received`. Who is busy, offline or appears so is not disturbed and never hears of it: the answer is the same.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' }) }),
    replies: { 204: null },
    errors: ['member-not-found'],
    budgets: ['knocks-per-user'],
  }),
  knockAtRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/knock',
    summary: 'Knock at the door of a room',
    description:
      'All members inside hear it, whatever their status, and the first answer counts. Accepted, `room-auth` lets the caller into the locked room once within 60 seconds. `not-reachable`: nobody is inside.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ roomId: RoomId }),
    replies: {
      200: Type.Object({ knockId, state: words(['waiting', 'not-reachable'] as const) }),
    },
    errors: ['room-not-found', 'room-temporary'],
    budgets: ['knocks-per-user'],
  }),
  answerKnock: operation({
    method: 'POST',
    path: '/api/v1/knock/answer',
    summary: 'Answer a knock',
    description: 'The first answer counts: the same one again is 204, another one 409.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ knockId: KnockId, answer: words(answers) }),
    replies: { 204: null },
    errors: ['knock-not-found', 'knock-ended'],
  }),
  cancelKnock: operation({
    method: 'POST',
    path: '/api/v1/knock/cancel',
    summary: 'Take a knock back',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ knockId: KnockId }),
    replies: { 204: null },
    errors: ['knock-not-found', 'knock-ended'],
  }),
} as const
