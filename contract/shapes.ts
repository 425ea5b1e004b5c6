import Type, { type Static, type TSchema } from 'typebox'
import { auditActions } from './audit.ts'
import { permissions, roles } from './permissions.ts'

/**
 * Wire shapes that more than one operation uses. A `title` names a shape in the published document; shapes
 * without one are written out where they are used.
 */

/** A time as RFC 3339 text in UTC. */
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })

/** A moment as a caller gives it, with whichever offset. */
export const Moment = Type.String({ format: 'date-time', minLength: 20, maxLength: 40 })

/** A value or `null`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/**
 * An object of whatever fields, each of the one shape. `Type.Record` finds its fields by the pattern `^.*$`, which no
 * name with a line break matches: such a field would be lost from replies.
 */
export function anyFields<Schema extends TSchema>(schema: Schema, options: { description?: string } = {}) {
  const fields = Type.Object({}, { additionalProperties: schema, ...options })
  return Type.Unsafe<Record<string, Static<Schema>>>(fields)
}

/** One of some words. */
export function words<const Words extends readonly string[]>(
  list: Words,
  options: { title?: string; description?: string } = {},
): Type.TEnum<[...Words]> {
  // typebox leaves the type out; code generators want one, and replies take a fifth longer to write out without it
  return Type.Enum([...list], { type: 'string', ...options }) as never
}

/** Body of every refusal. */
export const ErrorReply = Type.Object(
  {
    code: Type.Integer({ description: 'The HTTP status' }),
    message: Type.String({ description: 'For a person' }),
    error: Type.Optional(Type.String({ description: 'Stable kebab-case word for programs' })),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    requestId: Type.Optional(Type.String()),
  },
  { title: 'ErrorReply' },
)
export type ErrorReply = Static<typeof ErrorReply>

/** Body of a success that has nothing else to say. */
export const Done = Type.Object({ code: Type.Integer(), message: Type.String() }, { title: 'Done' })

export const RoleName = words(roles, { title: 'Role' })
export const MembershipStatus = words(['active', 'pending', 'inactive'] as const, {
  title: 'MembershipStatus',
  description:
    'pending: an invitation that waits for the person, with the role that it offers (`joinOrganization` accepts it). Show in menus what is active',
})
/** Of whom calendars may be connected. A new one is added here; the compiler then names each place that needs it. */
export const calendarProviders = ['provider-a', 'provider-b'] as const
export type CalendarProvider = (typeof calendarProviders)[number]

/** How a member appears to others. A new status is added here; the compiler and the tests then name each place that needs it. */
export const visibleStatuses = ['offline', 'online', 'away', 'busy'] as const
export type VisibleStatus = (typeof visibleStatuses)[number]
export const PresenceStatus = words(visibleStatuses, { title: 'PresenceStatus' })

/** The signed-in person, as the sign-in finalizers answer it. */
export const SessionUser = Type.Object(
  {
    id: Type.String({ description: 'Internal user id, the same as User.id' }),
    email: Type.String(),
    firstName: Type.String({ description: '"" where unknown' }),
    lastName: Type.String({ description: '"" where unknown' }),
    avatarURL: Type.String({ description: '"" where there is none' }),
  },
  { title: 'SessionUser' },
)
export type SessionUser = Static<typeof SessionUser>

export const OrganizationChoice = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'OrganizationChoice' },
)

/** Sign-in of a person in several organizations: there is no session until one is selected. */
export const UndecidedUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    pendingAuthenticationToken: Type.String({ description: 'For select-organization; lives 10 minutes' }),
    organizations: Type.Array(OrganizationChoice),
  },
  { title: 'UndecidedUser' },
)

const CalendarIntegration = Type.Object({
  connected: Type.Boolean({ description: 'A token is stored' }),
  enabled: Type.Boolean({ description: 'The feature is switched on' }),
  reauthRequired: Type.Optional(
    Type.Boolean({ description: 'Where the provider wants consent again: connect again' }),
  ),
})

export const CalendarStatus = words(['on', 'off'] as const, {
  description:
    'Whether meetings of the person’s connected calendars read as `busy` with `activity: in-meeting`; absent where this office does not offer it. Titles never leave.',
})

/** A name of the IANA database; the office knows which there are. */
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A zone of the IANA database, of these clocks',
  examples: ['Europe/Berlin'],
})

export const User = Type.Object(
  {
    id: Type.String({ description: 'Internal user id; the same id space as Member.id' }),
    presenceUserId: Type.Optional(
      Type.String({ description: 'The id in presence, in channels and in events' }),
    ),
    email: Type.String(),
    firstName: Type.Optional(Type.String()),
    lastName: Type.Optional(Type.String()),
    displayName: Type.String(),
    avatarUrl: nullable(Type.String()),
    currentOrganizationId: Type.String({ description: '"" while no organization is active' }),
    organizationMemberships: Type.Array(
      Type.Object({
        organization: Type.Object({
          id: Type.String(),
          name: Type.String(),
          logoUrl: nullable(Type.String()),
        }),
        role: RoleName,
        status: MembershipStatus,
        permissions: Type.Optional(
          Type.Array(words(permissions), {
            description: 'What the role allows there; nothing where the membership is not active',
          }),
        ),
      }),
    ),
    moved: Type.Optional(
      Type.Array(
        Type.Object({
          organizationName: Type.String(),
          url: Type.String({ description: 'The address of the office where it is now' }),
        }),
        {
          description:
            'Only while no organization is active: those of the person that have moved to another office, where they sign in by the same address. The latest comes first',
        },
      ),
    ),
    integrations: Type.Object({
      providerACalendar: CalendarIntegration,
      providerBCalendar: Type.Optional(CalendarIntegration),
    }),
    manualStatus: nullable(PresenceStatus),
    calendarStatus: Type.Optional(CalendarStatus),
    timeZone: Type.Optional(TimeZone),
    avatarUploadTriesRemaining: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** A verified or claimed domain of an organization. */
export const Domain = Type.Object(
  { id: Type.String(), domain: Type.String(), state: words(['pending', 'verified', 'failed'] as const) },
  { title: 'Domain' },
)

export const Organization = Type.Object(
  {
    id: Type.String({ description: "The identity provider's id, prefix org_" }),
    organizationName: Type.String(),
    domains: Type.Array(Domain),
  },
  { title: 'Organization' },
)

export const OrganizationListItem = Type.Object(
  { organizationId: Type.String(), organizationName: Type.String(), userRole: RoleName },
  { title: 'OrganizationListItem' },
)

/** A body field that is an e-mail address. The server trims it and takes it for the same in capitals. */
export const EmailField = Type.String({
  format: 'email',
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address',
})

/** A body field that is a code from a mail. Wrong ones are counted as guesses. */
export const MailedCode = Type.String({
  minLength: 1,
  maxLength: 64,
  sentence: 'Enter the code from the mail',
  isMailedCode: true,
})

/** In JSON Schema's portable subset: every generator of clients can use it. The server checks the rest of the rule. */
const NOT_BLANK = '\\S'
const NAME_RULE =
  'At least one character that can be seen; no control characters, and none that takes no room or turns the direction of text'

/** A body field that is a name for people to read. Spaces around it are dropped; the rest has this length. */
export function NameField(options: { min: number; max: number; label?: string; description?: string }) {
  const { min, max, label = 'a name', description } = options
  return Type.String({
    minLength: min,
    maxLength: max,
    label,
    isName: true,
    documented: { pattern: NOT_BLANK },
    description: description ? `${description}. ${NAME_RULE}` : NAME_RULE,
  })
}

export const InvitationState = words(['pending', 'accepted', 'expired', 'revoked'] as const, {
  title: 'InvitationState',
})

export const Invitation = Type.Object(
  {
    id: Type.String({ description: 'Prefix invitation_' }),
    email: Type.String({ description: 'Who is invited' }),
    role: RoleName,
    state: InvitationState,
    acceptedAt: nullable(Timestamp),
    revokedAt: nullable(Timestamp),
    token: Type.String({ description: '"" for those who may not invite' }),
    acceptInvitationUrl: Type.String({ description: '"" for those who may not invite' }),
    organizationId: Type.String(),
    inviterUserId: Type.String({ description: 'A User.id' }),
    expiresAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

/** What the holder of an invitation's token is shown before they decide. */
export const InvitationPreview = Type.Object(
  {
    email: Type.String(),
    organizationName: Type.String(),
    inviterName: Type.String({
      description: 'Who invites; empty where they have no name, or no account any more',
    }),
    role: RoleName,
    state: InvitationState,
    expiresAt: Timestamp,
  },
  { title: 'InvitationPreview' },
)

export const Activity = words(['in-room', 'in-meeting'] as const, {
  description:
    'What somebody is doing. People in a room are seen: who appears offline has `in-room`, and stays `offline` in status.',
})

export const Member = Type.Object(
  {
    id: Type.String({ description: 'Internal user id, the same as User.id' }),
    displayName: Type.String(),
    avatarUrl: Type.String({ description: '"" where there is none' }),
    email: Type.String({ description: '"" of a bot' }),
    role: RoleName,
    isBot: Type.Optional(Type.Literal(true, { description: 'A program; not of people' })),
    timeZone: Type.Optional(TimeZone),
    presenceStatus: PresenceStatus,
    presenceUserId: Type.String({
      description: "The identity provider's user id: `userId` of presence records, `<uid>` of channels",
    }),
    activity: Type.Optional(Activity),
    roomId: Type.Optional(Type.String({ description: 'Where `activity` is `in-room`: the room' })),
    note: Type.Optional(
      Type.String({ description: 'What they say of themselves; not of who is offline or appears so' }),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When their chosen status and `note` end, where that is known',
      }),
    ),
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

/** What kinds of authors entries have. */
export const auditActorKinds = ['user', 'operator', 'identity-provider', 'directory', 'token', 'bot'] as const

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Its number in the trail of the organization' }),
    at: Timestamp,
    actor: Type.Object(
      {
        kind: words(auditActorKinds),
        id: Type.Optional(
          Type.String({
            description:
              'Of a user or a bot: a User.id; of a token or a directory: its id, or that of its connection. Absent where it is not known who they are',
          }),
        ),
        email: Type.Optional(Type.String()),
        address: Type.String({ description: 'The network: an IPv4 address, or the /64 of an IPv6 address' }),
      },
      { description: 'Who did it, and from where' },
    ),
    action: words(auditActions, { description: 'What was done; a newer office may know of more' }),
    target: Type.Object({ kind: Type.String(), id: Type.String() }),
    requestId: Type.String(),
    detail: anyFields(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

/** Of a body: exactly one of some optional fields is given. */
export function oneOf(fields: readonly string[], sentence: string) {
  return { oneOf: fields.map((field) => ({ required: [field] })), sentence }
}

/** A page of a list that is read by offset. */
export function page<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    page: Type.Object({ limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer() }),
  })
}

const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 512, description: 'From an earlier reply of this list' }),
)
/** Body fields of a list that is read in pages from the newest on. */
export const cursors = { before: Cursor, after: Cursor }

/** A page of a list that is read by cursors: of the page before and the page after, `null` where there is none. */
export function cursorPage<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    before: nullable(Type.String()),
    after: nullable(Type.String()),
  })
}

/** Said by an automatic return: it takes nothing over from another device. */
export const Returning = Type.Optional(
  Type.Object(
    {
      participantSid: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The connection that the client had last, as the media server named it',
      }),
    },
    { description: 'Where the caller is inside by another connection: 409 `already-inside`' },
  ),
)

export const RoomId = Type.String({ minLength: 1, maxLength: 128, description: 'The id of a room: a UUID' })
