import Type from 'typebox'
import { activityFields } from './activity.ts'
import { realtimeEvent } from './event-declaration.ts'
import { type Access, operation } from './operation.ts'
import { anyFields, NameField, nullable, Returning, RoomId, Timestamp, words } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

/** Where to use a token that was minted for the media server. */
export const MediaUrl = Type.Optional(
  Type.String({ description: 'WebSocket address of the media server that the token is for' }),
)

/** What a room is for. A desk belongs to one person. */
export const roomKinds = ['meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk'] as const
/** The kinds that a room can be given: a desk comes by an operation of its own. */
export const chosenRoomKinds = ['meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage'] as const
/** Whether bots come into a room: never, each when it is asked, or all of them with the people. */
export const agentDispatches = ['none', 'on-request', 'always'] as const
/** The most seats a room shows. */
export const SEATS_MAX = 500
/** The last place in the order of an office. */
export const POSITION_MAX = 1_000_000

const Room = Type.Object(
  {
    id: Type.String({ description: 'A UUID: `roomId` everywhere' }),
    name: Type.String({ description: 'Unique within the organization' }),
    metadata: anyFields(Type.Unknown()),
    kind: words(roomKinds, { description: 'What the room is for' }),
    seats: nullable(Type.Integer({ description: 'Shown, not enforced; null where none were given' })),
    locked: Type.Boolean({ description: 'Others than moderators knock at its door' }),
    sealed: Type.Boolean({
      description:
        'Sound and pictures are encrypted from end to end: the office and its media server cannot read them',
    }),
    position: Type.Integer({ description: 'Lists are ordered by it, then by age, then by id' }),
    temporary: Type.Boolean({
      description: 'For two people, who alone know of it; gone a minute after both have left',
    }),
    ownerId: nullable(Type.String({ description: 'Whose desk it is, a User.id; null of other rooms' })),
  },
  { title: 'Room' },
)

const PersonInRoom = Type.Object(
  {
    userId: Type.String({ description: 'A User.id' }),
    presenceUserId: Type.String({ description: "The identity provider's user id" }),
    displayName: Type.String(),
    avatarUrl: Type.String({ description: '"" where there is none' }),
    since: Timestamp,
    microphone: Type.Boolean({ description: 'Whether it is published; it may be muted' }),
    camera: Type.Boolean(),
    screen: Type.Boolean(),
    ...activityFields,
  },
  { title: 'PersonInRoom' },
)

const AgentDispatch = words(agentDispatches, {
  description:
    'Whether bots come in: `none`, those that are asked (`on-request`), or all of them, asked when people come in (`always`)',
})
/** Told before one enters. */
export const Programs = Type.Array(Type.String(), {
  description: 'What the bots are called that are inside, and those that will come',
})

const AgentInRoom = Type.Object(
  {
    botId: Type.String({ description: 'The User.id of a bot' }),
    name: Type.String(),
    since: Timestamp,
    listens: Type.Boolean({ description: 'Whether it may hear and see what goes on in the room' }),
    speaks: Type.Boolean({ description: 'Whether it may be heard and seen in the room' }),
  },
  { title: 'AgentInRoom' },
)

/** A room with what goes on in it. */
const ListedRoom = Type.Object(
  {
    ...Room.properties,
    createdAt: Timestamp,
    agentDispatch: AgentDispatch,
    people: Type.Array(PersonInRoom, {
      description:
        'Who is inside, each person once, in the order they came in. People who appear offline are seen in a room too',
    }),
    agents: Type.Array(AgentInRoom, {
      description: 'Which bots are inside, each once, in the order they came in. They are none of the people',
    }),
    guests: Type.Integer({ description: 'How many guests are inside; those who wait are not' }),
    recording: Type.Boolean({ description: 'Whether the media server records it' }),
  },
  { title: 'ListedRoom' },
)

const RoomIdOfEvent = Type.String({ description: 'The id of a room: a UUID' })
const InRoom = Type.Object({
  roomId: RoomIdOfEvent,
  userId: Type.String({ description: 'A User.id' }),
})
const exampleRoomId = '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70'

export const roomEvents = {
  'room.created': realtimeEvent({
    scopes: ['organization', 'user'],
    summary: 'A room was created. It is empty. Of a temporary room the two are told.',
    data: Type.Object({
      roomId: RoomIdOfEvent,
      name: Room.properties.name,
      metadata: Room.properties.metadata,
      kind: Room.properties.kind,
      seats: Room.properties.seats,
      locked: Room.properties.locked,
      sealed: Room.properties.sealed,
      position: Room.properties.position,
      temporary: Room.properties.temporary,
      ownerId: Room.properties.ownerId,
      createdAt: Timestamp,
    }),
    example: {
      roomId: exampleRoomId,
      name: 'Kitchen',
      metadata: {},
      kind: 'kitchen',
      seats: 8,
      locked: false,
      sealed: false,
      position: 3000,
      temporary: false,
      ownerId: null,
      createdAt: '2026-03-23T09:00:00.000Z',
    },
  }),
  'room.updated': realtimeEvent({
    scopes: ['organization', 'user'],
    summary:
      'A room changed: its name, metadata, kind, seats or place, whether it is locked or sealed, or bots come in, how many guests are inside, whether it is recorded, or what one person publishes there. Only the changed fields are sent.',
    data: Type.Object({
      roomId: RoomIdOfEvent,
      name: Type.Optional(Room.properties.name),
      metadata: Type.Optional(Room.properties.metadata),
      kind: Type.Optional(Room.properties.kind),
      seats: Type.Optional(Room.properties.seats),
      locked: Type.Optional(Room.properties.locked),
      sealed: Type.Optional(Room.properties.sealed),
      position: Type.Optional(Room.properties.position),
      agentDispatch: Type.Optional(AgentDispatch),
      guests: Type.Optional(Type.Integer({ description: 'How many guests are inside from now on' })),
      recording: Type.Optional(Type.Boolean({ description: 'Whether it is recorded from now on' })),
      person: Type.Optional(
        Type.Object(
          {
            userId: PersonInRoom.properties.userId,
            microphone: PersonInRoom.properties.microphone,
            camera: PersonInRoom.properties.camera,
            screen: PersonInRoom.properties.screen,
          },
          { description: 'What somebody who is inside publishes from now on' },
        ),
      ),
    }),
    example: { roomId: exampleRoomId, name: 'Kitchen' },
  }),
  'room.deleted': realtimeEvent({
    scopes: ['organization', 'user'],
    summary: 'A room is gone, and whoever was in it is put out.',
    data: Type.Object({ roomId: RoomIdOfEvent }),
    example: { roomId: exampleRoomId },
  }),
  'room.entered': realtimeEvent({
    scopes: ['organization', 'user'],
    summary:
      'Somebody has come into a room, by `time`; also who appears offline. Told once, however many connections they have.',
    data: InRoom,
    example: { roomId: exampleRoomId, userId: '42' },
  }),
  'room.left': realtimeEvent({
    scopes: ['organization', 'user'],
    summary: 'Somebody has left a room: the last of their connections has ended.',
    data: InRoom,
    example: { roomId: exampleRoomId, userId: '42' },
  }),
  'agent.entered': realtimeEvent({
    scopes: ['organization'],
    summary: 'A bot has come into a room, by `time`. Told once, however many connections it has.',
    data: Type.Object({ roomId: RoomIdOfEvent, ...AgentInRoom.properties }),
    example: {
      ...{ roomId: exampleRoomId, botId: '17', name: 'Note taker', since: '2026-03-23T09:00:00.000Z' },
      ...{ listens: true, speaks: false },
    },
  }),
  'agent.left': realtimeEvent({
    scopes: ['organization'],
    summary: 'A bot has left a room: the last of its connections has ended.',
    data: Type.Object({ roomId: RoomIdOfEvent, botId: AgentInRoom.properties.botId }),
    example: { roomId: exampleRoomId, botId: '17' },
  }),
} as const

const MetadataField = Type.Optional(
  anyFields(Type.Unknown(), {
    description: 'Kept as it is and given back; at most 16 KiB as JSON',
  }),
)
const KindField = Type.Optional(words(chosenRoomKinds, { description: 'What the room is for' }))
const SeatsField = Type.Integer({
  minimum: 1,
  maximum: SEATS_MAX,
  description: 'Shown on the plan of the office, not enforced',
})
const PositionField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: POSITION_MAX,
    description: 'Where the room stands in lists and on the plan; no other room moves',
  }),
)
const SealedField = Type.Optional(
  Type.Boolean({ description: 'Sound and pictures are encrypted from end to end; nobody can record them' }),
)
const mayEdit = { kind: 'organization', permission: 'EditRoom' } as const satisfies Access

export const roomOperations = {
  authorizeRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/room-auth',
    summary: 'Get a token to join a room of the active organization',
    description:
      'The token lives 10 minutes, for this room only. It ends with the session that it was made from and with the membership: whoever is inside by it is put out, and put out again where they come back with it. A locked room lets in moderators, who is inside or left it within two minutes, and once within 60 seconds who knocked and was let in; who comes by an older token is put out. A client that comes back by itself says `returning`. A bot comes in under its own name, by a token of the kind `agent`, where the organization wants agents: not into a locked, sealed or temporary room.',
    chapter,
    access: { kind: 'organization', bots: true },
    body: Type.Object({
      username: NameField({
        min: 1,
        max: 100,
        description: 'Shown to others in the room; a bot keeps its own',
      }),
      roomId: RoomId,
      connection: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9]{1,32}$',
          minLength: 1,
          maxLength: 32,
          sentence: 'Enter 1 to 32 letters and digits',
          description:
            'Names a second connection of the same person beside the first: another device, or a screen of its own. Without it, a new connection takes the place of the one before',
        }),
      ),
      returning: Returning,
      listens: Type.Optional(
        Type.Boolean({ description: 'Of a bot: false, where it need not hear and see the room' }),
      ),
      speaks: Type.Optional(
        Type.Boolean({ description: 'Of a bot: false, where it is neither heard nor seen in the room' }),
      ),
    }),
    replies: { 200: Type.Object({ token: Type.String(), url: MediaUrl, programs: Programs }) },
    errors: [
      'room-not-found',
      'room-locked',
      'removed-from-room',
      'already-inside',
      'agents-off',
      'room-sealed',
    ],
    refusals: [502],
  }),
  createRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/room-create',
    summary: 'Make a room in the active organization',
    description:
      'A name that the organization has already: 409. It has at most as many rooms as its limit says, 1,000 where nothing else is set. `position` and `sealed` are for moderators and administrators; without a position the room comes last. Without `seats`, a `capacity` in the metadata counts, where it is an integer of 1 to 500.',
    chapter,
    access: { kind: 'organization', serviceTokens: true },
    body: Type.Object({
      name: NameField({ min: 1, max: 255 }),
      metadata: MetadataField,
      kind: KindField,
      seats: Type.Optional(SeatsField),
      position: PositionField,
      sealed: SealedField,
    }),
    idempotent: true,
    replies: { 200: Type.Object({ room: Room }) },
    errors: ['role-not-allowed', 'room-exists', 'too-many-rooms'],
  }),
  listRooms: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/list',
    summary: 'List the rooms of the active organization in its order, with who is in them',
    description: 'Who is inside is what the media server has told.',
    chapter,
    access: { kind: 'organization', bots: true },
    replies: { 200: Type.Object({ rooms: Type.Array(ListedRoom) }) },
  }),
  getRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/get',
    summary: 'Read one room of the active organization, with who is in it',
    chapter,
    access: { kind: 'organization', bots: true },
    body: Type.Object({ roomId: RoomId }),
    replies: { 200: Type.Object({ room: ListedRoom }) },
    errors: ['room-not-found'],
  }),
  openDesk: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/desk',
    summary: 'Make or find your own desk: a room of yours',
    description:
      'Called as you are, outside the limit of rooms, and without a conversation. Others see it in lists while somebody is inside, and enter it while you are. It ends with your membership.',
    chapter,
    access: { kind: 'organization' },
    replies: { 200: Type.Object({ room: ListedRoom }) },
  }),
  updateRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/update',
    summary: 'Change a room: its name, metadata, kind, seats or place, whether it is sealed, or bots come in',
    description:
      'What is not given stays as it is. A name that another room of the organization has: 409. `sealed` changes while nobody is inside, nothing is recorded and no token of the room is alive: else 409 `room-in-use`.',
    chapter,
    access: mayEdit,
    body: Type.Object({
      roomId: RoomId,
      name: Type.Optional(NameField({ min: 1, max: 255 })),
      metadata: MetadataField,
      kind: KindField,
      seats: Type.Optional(nullable(SeatsField)),
      position: PositionField,
      sealed: SealedField,
      agentDispatch: Type.Optional(AgentDispatch),
    }),
    replies: { 200: Type.Object({ room: ListedRoom }) },
    errors: ['room-not-found', 'room-temporary', 'room-exists', 'room-in-use'],
  }),
  lockRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/lock',
    summary: 'Lock the room that you are in, or open it',
    description:
      'Others knock at the door, and guests are let in by who is inside. Moderators and administrators open a room from outside too. The lock ends when the last member leaves.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ roomId: RoomId, locked: Type.Boolean() }),
    replies: { 204: null },
    errors: ['room-not-found', 'room-temporary', 'not-inside'],
  }),
  deleteRoom: operation({
    method: 'POST',
    path: '/api/v1/rtc/rooms/delete',
    summary: 'Delete a room: everybody in it is put out',
    description:
      'Links for its guests are worth nothing from then on. A recording that runs ends with the room; recordings stay.',
    chapter,
    access: mayEdit,
    body: Type.Object({ roomId: RoomId }),
    replies: { 204: null },
    errors: ['room-not-found', 'room-temporary'],
  }),
} as const
