import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { type Access, operation } from './operation.ts'
import { nullable, RoomId } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'
const BotInRoom = Type.Object({
  roomId: RoomId,
  botId: Type.String({ minLength: 1, maxLength: 128, description: 'The User.id of a bot' }),
})

/** For how long a bot that was asked into a room is awaited. */
export const DISPATCH_SECONDS = 120

export const agentEvents = {
  'agent.dispatched': realtimeEvent({
    scopes: ['user'],
    summary: 'To a bot: it is asked into a room, and awaited there for two minutes.',
    data: Type.Object({
      roomId: Type.String({ description: 'The id of a room: a UUID' }),
      by: nullable(
        Type.String({ description: 'Who asks, a User.id; null: the room always has the bots in' }),
      ),
    }),
    example: { roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70', by: '42' },
  }),
} as const

export const agentOperations = {
  dispatchAgent: operation({
    method: 'POST',
    path: '/api/v1/rtc/agents/dispatch',
    summary: 'Ask a bot into the room that you are in',
    description:
      'It is told by `agent.dispatched`, a worker of its `agentName` is given the job, and it counts among the `programs` of `room-auth` for two minutes. Moderators and administrators ask from outside too.',
    chapter,
    access: { kind: 'organization' },
    body: BotInRoom,
    replies: { 204: null },
    errors: [
      'room-not-found',
      'room-temporary',
      'bot-not-found',
      'not-inside',
      'agents-off',
      'room-locked',
      'room-sealed',
    ],
    refusals: [502],
  }),
  removeAgent: operation({
    method: 'POST',
    path: '/api/v1/rtc/agents/remove',
    summary: 'Put a bot out of a room, or do without one that was asked',
    description:
      'For 60 seconds `room-auth` answers it 403 `removed-from-room`; by an older token it is put out.',
    chapter,
    access: { kind: 'organization', permission: 'EditRoom' } as const satisfies Access,
    body: BotInRoom,
    replies: { 204: null },
    errors: ['room-not-found', 'room-temporary', 'bot-not-found', 'not-inside'],
    refusals: [502],
  }),
} as const
