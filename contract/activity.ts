import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { RoomId, words } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

/** How long the office goes by what a client said of itself, in seconds; it says it again before. */
export const ACTIVITY_SECONDS = 15

/** What a client says of its microphone. */
const saidSounds = ['on', 'muted', 'off'] as const
/** `published`: there is a microphone, of which the client has not said whether it is muted. */
export const sounds = [...saidSounds, 'published'] as const

/** A participant's state in a room. */
export const activityFields = {
  sound: words(sounds, {
    description:
      'Their microphone: `off` where none is published, `published` where it is not known whether it is muted',
  }),
  speaking: Type.Boolean({ description: 'Never true in a locked, sealed or temporary room' }),
  hand: Type.Boolean({ description: 'Whether they have raised their hand' }),
}

/** What a client says of itself. */
export const SaidActivity = {
  sound: words(saidSounds),
  speaking: Type.Boolean(),
  hand: Type.Boolean(),
}

export const activityEvents = {
  'room.activity': realtimeEvent({
    scopes: ['organization', 'user'],
    summary:
      'How somebody is in a room from now on: at most once a second of each person. A hint, which no history keeps and no webhook is sent. Of a temporary room the two are told.',
    data: Type.Object({
      roomId: Type.String({ description: 'The id of a room: a UUID' }),
      userId: Type.Optional(Type.String({ description: 'A User.id; or `guestIdentity`' })),
      guestIdentity: Type.Optional(Type.String({ description: '`guest:<uuid>`' })),
      ...activityFields,
    }),
    example: {
      roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70',
      userId: '42',
      sound: 'on',
      speaking: true,
      hand: false,
    },
  }),
} as const

export const activityOperations = {
  setActivity: operation({
    method: 'POST',
    path: '/api/v1/rtc/activity',
    summary: 'Say how you are in the room that you are in',
    description:
      'A hint that others see in lists and by `room.activity`, gathered for a second. It is gone after 15 seconds: say it again every 5.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ roomId: RoomId, ...SaidActivity }),
    replies: { 204: null },
    errors: ['room-not-found', 'not-inside'],
  }),
} as const
