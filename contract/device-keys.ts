import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { NameField, oneOf, Timestamp } from './shapes.ts'

const chapter = 'User and avatar'

export const DeviceId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  minLength: 36,
  maxLength: 36,
  sentence: 'Enter a UUID of random digits, in lower case',
  description: 'A UUID that the device has made at random',
  examples: ['3f0b6c1e-52a7-4d8e-9a41-7c2d90e5b816'],
})

/** A key that boxes are sealed to, of a device or of a guest's page. */
export const PublicKey = Type.String({
  // the last digit of 32 bytes has four bits
  pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
  minLength: 43,
  maxLength: 43,
  sentence: 'Enter the 32 bytes of an X25519 key as base64url',
  description:
    'X25519, its 32 bytes as base64url; 400 for a point of low order, to which nothing can be sealed',
  examples: ['hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo'],
})

const DeviceKey = Type.Object(
  {
    deviceId: Type.String(),
    userId: Type.String({ description: 'Whose it is: a User.id' }),
    publicKey: Type.String({ description: 'X25519, its 32 bytes as base64url' }),
    name: Type.Optional(Type.String({ description: 'What the person calls it; of a colleague left out' })),
    createdAt: Type.Optional(Timestamp),
    publishedAt: Type.Optional(Timestamp),
  },
  { title: 'DeviceKey' },
)
export type DeviceKey = Static<typeof DeviceKey>

const MemberId = Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' })

export const deviceKeyOperations = {
  publishDevice: operation({
    method: 'POST',
    path: '/user/devices/publish',
    summary: 'Publish the public key of one’s device, to which keys of sealed rooms are sealed',
    description:
      'Again with the same key: its name and time are new. Another key is another device: 409 `device-taken`. Of more than 20, the one is dropped that was published longest ago.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({
      deviceId: DeviceId,
      publicKey: PublicKey,
      name: NameField({ min: 1, max: 100, description: 'For the person, such as "Firefox on Linux"' }),
    }),
    replies: { 204: null },
    errors: ['device-taken'],
  }),
  listDevices: operation({
    method: 'POST',
    path: '/user/devices/list',
    summary: 'List the devices of members of the active organization, with their public keys',
    description:
      'Of one member by `userId`, or of many at once by `userIds`, of whom those are left out who are no members. In the order in which they came. Names and times are shown to their person alone.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object(
      {
        userId: Type.Optional(MemberId),
        userIds: Type.Optional(
          Type.Array(MemberId, {
            ...{ minItems: 1, maxItems: 500, label: 'user ids' },
            description: 'Instead of `userId`',
          }),
        ),
      },
      oneOf(['userId', 'userIds'], 'Give either userId, or userIds for up to 500 people'),
    ),
    replies: { 200: Type.Object({ devices: Type.Array(DeviceKey) }) },
    errors: ['member-not-found'],
  }),
  endDevice: operation({
    method: 'POST',
    path: '/user/devices/end',
    summary: 'Withdraw the public key of one of one’s devices',
    description: 'Nothing is sealed to it any more. Again: 204.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({ deviceId: DeviceId }),
    replies: { 204: null },
  }),
} as const
