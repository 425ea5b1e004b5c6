import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { Activity, Member, nullable, page, RoleName, Timestamp, visibleStatuses, words } from './shapes.ts'

const chapter = 'Members'

/** Long enough for ids of every kind: an unknown id is absent, not malformed. */
const MemberId = Type.String({ minLength: 1, maxLength: 128, description: 'A User.id' })
/** No member is made a guest: guests are invited as such. */
const NewRole = words(['member', 'moderator', 'admin'] as const)
const SpaceId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'The space whose live session is kicked, if any',
  }),
)

/** Both ids of whom it is about: read the rest with `/members/get`. */
const person = {
  userId: Type.String({ description: 'A User.id' }),
  presenceUserId: Type.String({ description: "The identity provider's user id" }),
}
const examplePerson = { userId: '42', presenceUserId: 'user_01KAJ4Q8Z9GF4D7H1S6P3K8YTC' }

/** Published by triggers of the database, by the function `append_event`. */
export const memberEvents = {
  'member.joined': realtimeEvent({
    scopes: ['organization'],
    summary: 'Somebody is a member from now on.',
    data: Type.Object(person),
    example: examplePerson,
  }),
  'member.updated': realtimeEvent({
    scopes: ['organization'],
    summary: 'The role of a member changed.',
    data: Type.Object({ ...person, role: RoleName }),
    example: { ...examplePerson, role: 'moderator' },
  }),
  'member.removed': realtimeEvent({
    scopes: ['organization'],
    summary: 'A member left or was removed.',
    data: Type.Object(person),
    example: examplePerson,
  }),
  'profile.updated': realtimeEvent({
    scopes: ['organization'],
    summary:
      'The name or picture of a member changed (with `displayName`; `/members/get` has the address of the picture), their activity (with `activity` and `roomId`), or their note (with `note` and `until`). Null: removed; a field that is absent has not changed.',
    data: Type.Object({
      ...person,
      displayName: Type.Optional(Type.String()),
      activity: Type.Optional(nullable(Activity)),
      roomId: Type.Optional(nullable(Type.String())),
      note: Type.Optional(nullable(Type.String())),
      until: Type.Optional(nullable(Timestamp)),
    }),
    example: { ...examplePerson, activity: 'in-room', roomId: '3f0d1c1e-8a55-4c0e-9d0a-5d7c2f1b6a90' },
  }),
} as const

export const memberOperations = {
  listMembers: operation({
    method: 'POST',
    path: '/members/list',
    summary: 'List the members of the active organization, by name',
    chapter,
    access: { kind: 'organization', serviceTokens: true, bots: true },
    body: Type.Object({
      query: Type.Optional(
        Type.String({
          anyText: true,
          description: 'Part of the name or address, in any case; over 320 characters nothing is found',
        }),
      ),
      presence: Type.Optional(
        words(visibleStatuses, {
          description: 'Only people who appear with this status',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
    }),
    replies: { 200: page(Member) },
  }),
  getMember: operation({
    method: 'POST',
    path: '/members/get',
    summary: 'Read a member of the active organization',
    chapter,
    access: { kind: 'organization', serviceTokens: true, bots: true },
    body: Type.Object({ id: MemberId }),
    replies: { 200: Member },
    errors: ['member-not-found'],
  }),
  updateMember: operation({
    method: 'POST',
    path: '/members/{id}/update',
    summary: 'Give a member another role',
    description: 'The last admin keeps the role: 409.',
    chapter,
    access: { kind: 'organization', permission: 'EditUser' },
    params: Type.Object({ id: MemberId }),
    body: Type.Object({ role: NewRole }),
    replies: { 200: Member },
    errors: ['rank-too-high', 'role-above-own', 'member-not-found', 'last-admin', 'is-a-bot'],
  }),
  updateMembershipUser: operation({
    method: 'POST',
    path: '/memberships/update-user',
    summary: 'Give a member another role (earlier path)',
    chapter,
    access: { kind: 'organization', permission: 'EditUser' },
    body: Type.Object({ userId: MemberId, role: NewRole }),
    replies: { 200: Member },
    errors: ['rank-too-high', 'role-above-own', 'member-not-found', 'last-admin', 'is-a-bot'],
    supersededBy: 'updateMember',
  }),
  removeMember: operation({
    method: 'POST',
    path: '/members/{id}/remove',
    summary: 'Remove a member, or leave',
    description:
      'Works on members of a lower rank (admins act on admins); removing oneself is leaving. The last admin stays: 409.',
    chapter,
    access: { kind: 'organization', permission: 'BanUser', orOneself: 'id' },
    params: Type.Object({ id: MemberId }),
    body: Type.Object({ spaceId: SpaceId }),
    replies: { 204: null },
    errors: ['rank-too-high', 'member-not-found', 'last-admin', 'is-a-bot'],
  }),
  removeMembershipUser: operation({
    method: 'POST',
    path: '/memberships/remove-user',
    summary: 'Remove a member, or leave (earlier path)',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({ userId: MemberId, spaceId: SpaceId }),
    replies: { 204: null },
    errors: ['role-not-allowed', 'rank-too-high', 'member-not-found', 'last-admin', 'is-a-bot'],
    supersededBy: 'removeMember',
  }),
} as const
