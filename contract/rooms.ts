import Type from 'typebox'
import { operation } from './operation.ts'
import { NameField } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

export const RoomId = Type.String({ minLength: 1, maxLength: 128, description: 'The id of a room: a UUID' })
/** Where to use a token that was minted for the media server. */
export const MediaUrl = Type.Optional(
  Type.String({ description: 'WebSocket address of the media server that the token is for' }),
)

const Room = Type.Object(
  {
    id: Type.String({ description: 'A UUID: `roomId` everywhere' }),
    name: Type.String({ description: 'Unique within the organization' }),
    metadata: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'Room' },
)

export const roomOperations = {
  authorizeRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/room-auth',
    summary: 'Get a token to join a room of the active organization',
    description: 'The token lives 10 minutes, for this room only.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({
      username: NameField({ min: 1, max: 100, description: 'Shown to others in the room' }),
      roomId: RoomId,
    }),
    replies: { 200: Type.Object({ token: Type.String(), url: MediaUrl }) },
    errors: ['room-not-found'],
    refusals: [502],
  }),
  createRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/room-create',
    summary: 'Make a room in the active organization',
    description: 'A name that the organization has already: 409.',
    chapter,
    access: { kind: 'organization', serviceTokens: true },
    body: Type.Object({
      name: NameField({ min: 1, max: 255 }),
      metadata: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Kept as it is and given back; at most 16 KiB as JSON',
        }),
      ),
    }),
    idempotent: true,
    replies: { 200: Type.Object({ room: Room }) },
    errors: ['room-exists'],
  }),
} as const
