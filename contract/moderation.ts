import Type from 'typebox'
import { type Access, operation } from './operation.ts'
import { oneOf, RoomId } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'
const moderates = { kind: 'organization', permission: 'EditRoom' } as const satisfies Access

/** Whom it is about: exactly one of the two. */
const Inside = Type.Object(
  {
    roomId: RoomId,
    userId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' })),
    guestIdentity: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: '`guest:<uuid>`, instead of `userId`' }),
    ),
  },
  oneOf(['userId', 'guestIdentity'], 'Give either a member or a guest'),
)

/** The topic of the data packet that `lower-hands` sends. */
export const HANDS_LOWERED = 'hands-lowered'

export const moderationOperations = {
  muteInRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/mute',
    summary: 'Mute the microphone of somebody in a room',
    description: 'They may unmute themselves.',
    chapter,
    access: moderates,
    body: Inside,
    replies: { 204: null },
    errors: ['room-not-found', 'member-not-found', 'guest-not-found', 'not-inside', 'rank-too-high'],
    refusals: [502],
  }),
  removeFromRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/remove',
    summary: 'Put somebody out of a room',
    description:
      'For 60 seconds `room-auth` answers them 403 `removed-from-room`; who comes by an older token is put out. A locked room wants a knock then. A guest is turned away for good, as by `/guest/remove`.',
    chapter,
    access: moderates,
    body: Inside,
    replies: { 204: null },
    errors: ['room-not-found', 'member-not-found', 'guest-not-found', 'not-inside', 'rank-too-high'],
    refusals: [502],
  }),
  lowerHands: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/lower-hands',
    summary: 'Lower all hands in a room',
    description:
      'Everybody inside is sent a data packet of the topic `hands-lowered`. For 5 seconds a hand that is said to be up is not.',
    chapter,
    access: moderates,
    body: Type.Object({ roomId: RoomId }),
    replies: { 204: null },
    errors: ['room-not-found'],
    refusals: [502],
  }),
} as const
