import Type, { type Static, type TSchema } from 'typebox'
import { roles } from './permissions.ts'

/**
 * Wire shapes that more than one operation uses. A `title` names a shape in the published document; shapes
 * without one are written out where they are used.
 */

/** A time as RFC 3339 text in UTC. */
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })

/** A value or `null`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** One of some words. */
export function words<const Words extends readonly string[]>(
  list: Words,
  options: { title?: string; description?: string } = {},
): Type.TEnum<[...Words]> {
  return Type.Enum([...list], options) as never
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
})
export const PresenceStatus = words(['offline', 'online', 'away', 'busy'] as const, {
  title: 'PresenceStatus',
})

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

/** Sign-in of a person in several organizations: nobody is signed in until one is selected. */
export const UndecidedUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    pendingAuthenticationToken: Type.String({ description: 'For select-organization; lives 10 minutes' }),
    organizations: Type.Array(OrganizationChoice),
  },
  { title: 'UndecidedUser' },
)

export const User = Type.Object(
  {
    id: Type.String({ description: 'Internal user id; the same id space as Member.id' }),
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
      }),
    ),
    integrations: Type.Object({
      providerACalendar: Type.Object({
        connected: Type.Boolean({ description: 'A token is stored' }),
        enabled: Type.Boolean({ description: 'The feature is switched on' }),
      }),
    }),
    manualStatus: nullable(PresenceStatus),
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

/** A body field that is an e-mail address. Its exact form is checked by the server, which also normalizes it. */
export const EmailField = Type.String({ minLength: 3, maxLength: 320, description: 'An e-mail address' })
