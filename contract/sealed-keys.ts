import Type from 'typebox'
import { DeviceId } from './device-keys.ts'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { nullable, RoomId } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

/** The topic of the data packet that tells guests inside of a new key; members are told by the event of nearly that name. */
export const ROOM_KEY = 'room-key'

const Epoch = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

const SEALED = 'q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq83v'
const Box = Type.Object(
  {
    deviceId: Type.Optional(DeviceId),
    guestIdentity: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: '`guest:<uuid>`, instead of `deviceId`' }),
    ),
    box: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 64,
      maxLength: 512,
      sentence: 'Enter a sealed box as base64url',
      description: 'The key, sealed to the public key of the one recipient; base64url',
      examples: [SEALED],
    }),
  },
  { examples: [{ guestIdentity: 'guest:5c1e7a90-2b4d-4f6a-8c3e-9d0b1a2f3c4d', box: SEALED }] },
)

const OwnBox = Type.Object(
  {
    epoch: Type.Integer({ description: 'Of the present key; 0: the session of the room has none yet' }),
    box: nullable(Type.String({ description: 'Null: nothing was sealed to the caller' })),
  },
  { title: 'OwnBox' },
)

export const sealedKeyEvents = {
  'room.key': realtimeEvent({
    scopes: ['user'],
    summary: 'A sealed room has a new key: to all connections of the people inside.',
    data: Type.Object({
      roomId: Type.String({ description: 'The id of a room: a UUID' }),
      epoch: Type.Integer(),
    }),
    example: { roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70', epoch: 2 },
  }),
} as const

export const sealedKeyOperations = {
  sendRoomKey: operation({
    method: 'POST',
    path: '/api/v1/rtc/keys/send',
    summary: 'Give a sealed room that you are in its next key, sealed to each who shall have it',
    description:
      'The first key of a session is of epoch 1; of several at once, one counts. A box names a device or a guest. Boxes of before are dropped, as are those for devices that no member has published and for guests who are not admitted. The people inside are told by `room.key`, guests by a data packet of the topic `room-key`. All is forgotten when the last one leaves.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({
      roomId: RoomId,
      epoch: Epoch,
      boxes: Type.Array(Box, { minItems: 1, maxItems: 500, label: 'boxes' }),
    }),
    replies: { 204: null },
    errors: ['room-not-found', 'room-not-sealed', 'not-inside', 'epoch-taken'],
  }),
  fetchRoomKey: operation({
    method: 'POST',
    path: '/api/v1/rtc/keys/fetch',
    summary: 'Read the key of a sealed room, as it was sealed to one of your devices',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ roomId: RoomId, deviceId: DeviceId }),
    replies: { 200: OwnBox },
    errors: ['room-not-found'],
  }),
  fetchGuestRoomKey: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/keys/fetch',
    summary: 'As a guest who is let into a sealed room: read its key, as it was sealed to your page',
    chapter,
    access: { kind: 'guest' },
    body: Type.Object({
      inviteId: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'As `room-auth` of guests answers it: good only with the cookie of a place',
      }),
    }),
    replies: { 200: OwnBox },
  }),
} as const
