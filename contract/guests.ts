import Type, { type Static } from 'typebox'
import { PublicKey } from './device-keys.ts'
import { realtimeEvent } from './event-declaration.ts'
import { type Access, operation } from './operation.ts'
import { MediaUrl, Programs } from './rooms.ts'
import { NameField, Returning, RoomId, Timestamp, words } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'
/** From which role on, the organization decides: `guestAdmission`. */
const mayAdmit = { kind: 'organization', permission: 'AdmitGuest' } as const satisfies Access

/** Shortest and longest life of a guest's link, in seconds: a minute, 30 days. */
export const inviteSeconds = { min: 60, max: 30 * 24 * 60 * 60 } as const

/** Where a guest stands. Who is denied, has left or has expired is not in the room. */
export const GuestState = words(['waiting', 'admitted', 'denied', 'left', 'expired'] as const, {
  title: 'GuestState',
})

const InviteToken = Type.String({ minLength: 1, maxLength: 4_096 })
const GuestIdentity = Type.String({
  minLength: 1,
  maxLength: 128,
  description: '`guest:<uuid>`: who the guest is in the room',
})

export const Guest = Type.Object(
  {
    guestIdentity: Type.String({ description: '`guest:<uuid>`: who the guest is in the room' }),
    guestName: Type.String(),
    state: GuestState,
    since: Timestamp,
    publicKey: Type.Optional(
      Type.String({
        description: 'Of their page, to seal to: X25519, base64url; left out where they gave none',
      }),
    ),
    mayDecide: Type.Optional(
      Type.Boolean({
        description: 'False where the caller may not admit, deny or remove them; else left out',
      }),
    ),
  },
  { title: 'Guest' },
)
export type Guest = Static<typeof Guest>

const WaitingGuest = Type.Object(
  {
    roomId: Type.String({ description: 'The id of a room: a UUID' }),
    ...Type.Pick(Guest, ['guestIdentity', 'guestName', 'since']).properties,
  },
  { title: 'WaitingGuest' },
)

const GuestInvite = Type.Object(
  {
    inviteId: Type.String(),
    roomId: Type.String({ description: 'The id of a room: a UUID' }),
    createdBy: Type.String({ description: 'A User.id' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    allowAll: Type.Boolean(),
    allowedAdmins: Type.Array(Type.String(), { description: '`User.id`s of members who may admit' }),
  },
  { title: 'GuestInvite' },
)

const decision = words(['admit', 'deny'] as const)
/** Who it is about, and where they wait. */
const guestOfRoom = {
  roomId: Type.String({ description: 'The id of a room: a UUID' }),
  guestIdentity: Guest.properties.guestIdentity,
}
const exampleOfGuest = {
  roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70',
  guestIdentity: 'guest:5b0e7c1d-93a4-4f68-8d27-6c1f0a2e4b93',
}

export const guestEvents = {
  'guest.waiting': realtimeEvent({
    scopes: ['user'],
    summary: 'A guest asks to be let into a room: to everybody who may admit them.',
    data: Type.Object({ ...guestOfRoom, guestName: Type.String(), since: Timestamp }),
    example: { ...exampleOfGuest, guestName: 'Grace', since: '2026-03-23T09:00:00.000Z' },
  }),
  'guest.arrived': realtimeEvent({
    scopes: ['user'],
    summary:
      'A guest waits by a link that you have made, and you may not admit them: `deciders` may, of whom 10 are named.',
    data: Type.Object({
      ...guestOfRoom,
      guestName: Type.String(),
      deciders: Type.Array(Type.String(), { description: '`User.id`s' }),
    }),
    example: { ...exampleOfGuest, guestName: 'Grace', deciders: ['42'] },
  }),
  'guest.decided': realtimeEvent({
    scopes: ['user'],
    summary: 'A waiting guest was admitted or denied: to everybody who might have decided it.',
    data: Type.Object({ ...guestOfRoom, action: decision }),
    example: { ...exampleOfGuest, action: 'admit' },
  }),
  'guest.left': realtimeEvent({
    scopes: ['user'],
    summary:
      'A guest neither waits any more nor is in the room: they have gone, were put out, or their link has ended. To everybody who may admit them.',
    data: Type.Object(guestOfRoom),
    example: exampleOfGuest,
  }),
} as const

export const guestOperations = {
  inviteGuest: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/invite',
    summary: 'Make a link by which guests can ask to be let into a room',
    description:
      'One link serves many guests until it expires. With `allowAll` everybody may admit them whose role may (`guestAdmission`: administrators, where nothing else was decided), with `allowedAdmins` only those; with neither, the inviter. Where none of them may, all who may. Whoever was admitted stays after the link has ended.',
    chapter,
    access: { kind: 'organization', permission: 'InviteUser', bots: true },
    body: Type.Object({
      orgId: Type.String({ minLength: 1, maxLength: 128, description: 'The active organization' }),
      roomId: RoomId,
      durationSeconds: Type.Number({ minimum: inviteSeconds.min, maximum: inviteSeconds.max }),
      allowAll: Type.Optional(Type.Boolean()),
      allowedAdmins: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
          maxItems: 100,
          label: 'user ids',
          description: '`User.id`s of members who may admit',
        }),
      ),
    }),
    replies: {
      201: Type.Object({
        inviteUrl: Type.String({
          description: 'Its query parameter `invite_token` holds the encrypted token',
        }),
        inviteId: Type.String({ description: 'For `/guest/invites/revoke`: worth nothing to a guest' }),
      }),
    },
    errors: ['organization-not-found', 'room-not-found', 'room-temporary'],
  }),
  authorizeGuest: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/room-auth',
    summary: 'As a guest: ask to be let into a room, and get a token to wait there with',
    description:
      'The token can neither publish nor subscribe until an admin admits the guest; it need not be replaced then. A cookie keeps the place of a browser over a reload; once admitted, also after the link has ended. A call with the cookie of a place draws on no budget. A sealed room wants the `publicKey` of the page (409 `key-required`); the one given last counts.',
    chapter,
    access: { kind: 'public' },
    body: Type.Object({
      inviteToken: InviteToken,
      guestName: NameField({ min: 1, max: 100, description: 'Shown to whoever admits' }),
      publicKey: Type.Optional(PublicKey),
      returning: Returning,
    }),
    replies: {
      200: Type.Object({
        rtcToken: Type.String(),
        url: MediaUrl,
        programs: Programs,
        guestIdentity: Type.Optional(Type.String()),
        inviteId: Type.Optional(
          Type.String({ description: 'Names the link, for what a guest who is in the room may do' }),
        ),
        state: Type.Optional(GuestState),
        told: Type.Optional(
          Type.Boolean({
            description:
              'While they wait: whether somebody who may admit them seems to be there. Who appears offline does not',
          }),
        ),
      }),
    },
    errors: [
      'invalid',
      'guest-denied',
      'guest-removed',
      'room-not-found',
      'already-inside',
      'key-required',
      'gone',
      'too-many-waiting',
    ],
    refusals: [502],
    budgets: ['guest-per-address'],
  }),
  admitGuest: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/admit',
    summary: 'Let a waiting guest into a room, or turn them away',
    description:
      'The first decision counts: the same one again is 200, the opposite 409. Who may decide, the link of the guest says.',
    chapter,
    access: mayAdmit,
    body: Type.Object({
      roomId: RoomId,
      guestIdentity: GuestIdentity,
      action: decision,
    }),
    // as the interface shows it: without a message
    replies: { 200: Type.Object({ code: Type.Integer() }) },
    errors: [
      'role-not-allowed',
      'room-locked',
      'not-allowed-to-admit',
      'room-not-found',
      'guest-not-found',
      'guest-left',
      'already-decided',
      'guest-expired',
    ],
  }),
  removeGuest: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/remove',
    summary: 'Put an admitted guest out of a room',
    description:
      'For whoever may decide on them. They are `denied` from then on, and cannot come back with the same link in the same browser. Again: 204.',
    chapter,
    access: mayAdmit,
    body: Type.Object({ roomId: RoomId, guestIdentity: GuestIdentity }),
    replies: { 204: null },
    errors: [
      'role-not-allowed',
      'not-allowed-to-admit',
      'room-not-found',
      'guest-not-found',
      'guest-not-admitted',
      'guest-left',
      'guest-expired',
    ],
  }),
  listGuestInvites: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/invites/list',
    summary: 'List the links for guests that work, the newest first',
    description: 'The caller’s own; whoever may admit guests gets all of the organization. At most 500.',
    chapter,
    access: { kind: 'organization', permission: 'InviteUser' },
    replies: { 200: Type.Object({ invites: Type.Array(GuestInvite) }) },
  }),
  revokeGuestInvite: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/invites/revoke',
    summary: 'End a link for guests',
    description:
      'For whoever made it, and for whoever may admit guests. Who waits with it is put out; who was admitted stays until they leave or are removed. Again: 204.',
    chapter,
    access: { kind: 'organization', permission: 'InviteUser' },
    body: Type.Object({ inviteId: Type.String({ minLength: 1, maxLength: 64 }) }),
    replies: { 204: null },
    errors: ['guest-invite-not-found'],
  }),
  previewGuestInvite: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/preview',
    summary: 'As a guest: see what a link leads to, before asking to be let in',
    description: 'One that has ended: 410, but for the browser of a guest who was admitted with it.',
    chapter,
    access: { kind: 'public' },
    body: Type.Object({ inviteToken: InviteToken }),
    replies: {
      200: Type.Object({
        organizationName: Type.String(),
        roomName: Type.String(),
        inviterName: Type.String(),
        expiresAt: Timestamp,
      }),
    },
    errors: ['invalid', 'room-not-found', 'gone'],
    budgets: ['guest-per-address'],
  }),
  listGuests: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/list',
    summary: 'List the guests of a room, those who wait first',
    description:
      'At most 500, of the last day. Of a sealed room every member inside may ask, to seal to guests: without the right to admit they are shown those who are admitted.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ roomId: RoomId }),
    replies: { 200: Type.Object({ guests: Type.Array(Guest) }) },
    errors: ['role-not-allowed', 'room-not-found'],
  }),
  listWaitingGuests: operation({
    method: 'POST',
    path: '/api/v1/rtc/guest/waiting',
    summary: 'List the guests who wait for the caller, before whichever room, the longest first',
    description:
      'What `guest.waiting` has told, for clients that come later: those whom the caller may admit. At most 500.',
    chapter,
    access: mayAdmit,
    replies: { 200: Type.Object({ guests: Type.Array(WaitingGuest) }) },
  }),
} as const
