import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { CalendarStatus, NameField, nullable, oneOf, Timestamp, TimeZone, User } from './shapes.ts'

const chapter = 'User and avatar'

/** One session of a person, as they see it. */
const UserSession = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'The session that asks' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    network: Type.String({
      description: 'Where it was made: an IPv4 address, or the /64 of an IPv6 address; "" where not known',
    }),
    device: Type.String({ description: 'Browser and system; "" where not known' }),
  },
  { title: 'UserSession' },
)

/** Published by triggers of the database, by the function `append_event`. */
export const userEvents = {
  'session.ended': realtimeEvent({
    scopes: ['user'],
    summary:
      'The person was signed out somewhere: to all their connections, in every organization they are in.',
    data: Type.Object({ sessionId: Type.String({ description: '`id` of `/user/sessions/list`' }) }),
    example: { sessionId: '1207' },
  }),
} as const

export const userOperations = {
  getCurrentUser: operation({
    method: 'POST',
    path: '/user/get',
    summary: 'Read the current user',
    chapter,
    access: { kind: 'session' },
    replies: { 200: User },
  }),
  getUserInfo: operation({
    method: 'GET',
    path: '/api/v1/user-info',
    summary: 'Read the current user (earlier path)',
    chapter,
    access: { kind: 'session' },
    replies: { 200: User },
    supersededBy: 'getCurrentUser',
  }),
  updateProfile: operation({
    method: 'POST',
    path: '/user/update',
    summary: "Change the current user's profile",
    chapter,
    access: { kind: 'session' },
    description:
      'Give what is to change: at least one of the three. Colleagues see `timeZone` until it is `null`.',
    body: Type.Object(
      {
        displayName: Type.Optional(NameField({ min: 2, max: 100 })),
        calendarStatus: Type.Optional(CalendarStatus),
        timeZone: Type.Optional(nullable(TimeZone)),
      },
      {
        // the handler refuses none at all, by the name that is then missing
        documented: { minProperties: 1 },
        examples: [{ displayName: 'Ada Lovelace' }],
      },
    ),
    replies: { 200: User },
    errors: ['sign-in-method-not-accepted', 'calendar-disabled'],
  }),
  listSessions: operation({
    method: 'POST',
    path: '/user/sessions/list',
    summary: "List the caller's sessions",
    description: 'The session in use most recently comes first.',
    chapter,
    access: { kind: 'session' },
    replies: { 200: Type.Object({ sessions: Type.Array(UserSession) }) },
  }),
  endSessions: operation({
    method: 'POST',
    path: '/user/sessions/end',
    summary: 'End one session, or all but the one in use',
    description:
      'What was minted from a session ends with it, on every node. Ending the session in use is signing out, without the redirect.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object(
      {
        id: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Of `sessions`' })),
        others: Type.Optional(
          Type.Literal(true, {
            description: 'All but the session in use',
            sentence: 'Give either the id of a session, or others: true',
          }),
        ),
      },
      oneOf(['id', 'others'], 'Give either the id of a session, or others: true'),
    ),
    replies: { 204: null },
    errors: ['session-not-found'],
  }),
} as const
