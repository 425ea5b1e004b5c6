import Type from 'typebox'
import { type Access, operation } from './operation.ts'
import { roles } from './permissions.ts'
import { NameField, nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Directory'
const mayManage = { kind: 'organization', permission: 'ManageDirectory' } as const

/** Where a directory of an organization is spoken to, in SCIM 2.0 (RFC 7643, RFC 7644): docs/directory.md. */
export const SCIM_PATH = '/scim/v2'
/** The caller of all SCIM endpoints: what the standard serves is no operation of ours, but passes the same guard. */
export const SCIM_ACCESS = { kind: 'bearer', bearer: 'scim' } as const satisfies Access

const DirectoryId = Type.String({ minLength: 1, maxLength: 128 })

const DirectoryConnection = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdBy: Type.String({ description: 'A User.id; empty where there is no such user any more' }),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
  },
  { title: 'DirectoryConnection' },
)

const DirectoryGroup = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String({ description: 'As the directory calls it' }),
    members: Type.Integer({ description: 'How many people it has' }),
    role: nullable(words(roles, { description: 'What its people are at least; null: nothing follows' })),
  },
  { title: 'DirectoryGroup' },
)

const DirectoryRefusal = Type.Object(
  {
    at: Timestamp,
    request: Type.String({ description: 'What the directory asked for, such as `PATCH /Users`' }),
    reason: Type.String({
      description:
        'Why it was refused, in one word: a `scimType` of SCIM, or one of this office (docs/directory.md)',
    }),
    done: Type.String({
      description:
        'What was done of it all the same, in one word: `deactivated`, `role-lowered`, `members-removed`; empty: nothing',
    }),
    userId: Type.String({
      description: 'A User.id where the refusal is of somebody the directory sees, else empty',
    }),
    name: Type.String({
      description: 'What the directory calls whom it is about; empty where that is not known',
    }),
    waits: Type.Boolean({
      description:
        'Somebody whom the directory holds inactive has the name: `restoreDirectoryUser` or `releaseDirectoryName` decides',
    }),
  },
  { title: 'DirectoryRefusal' },
)

export const directoryOperations = {
  createDirectoryConnection: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/connections/create',
    summary: 'Connect a directory that keeps the people of the organization',
    description:
      'The directory (Entra ID, Okta, …) speaks SCIM 2.0 at `url` with the token as `Authorization: Bearer atrscim_…`; both belong into its settings. The token is shown this once, and holds until it is revoked. People and groups belong to the organization and not to the connection: another token goes on with them.',
    chapter,
    access: mayManage,
    body: Type.Object({ name: NameField({ min: 1, max: 100 }) }),
    replies: {
      201: Type.Object({
        id: Type.String(),
        token: Type.String({ description: 'Shown this once' }),
        url: Type.String(),
      }),
    },
    errors: ['too-many-directory-connections'],
  }),
  listDirectoryConnections: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/connections/list',
    summary: "List the organization's directory connections, newest first",
    description: 'Never their tokens.',
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ connections: Type.Array(DirectoryConnection) }) },
  }),
  revokeDirectoryConnection: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/connections/revoke',
    summary: 'Revoke a directory connection: its next call is refused',
    description: 'Nobody loses anything by it: people and groups stay as they are.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DirectoryId }),
    replies: { 204: null },
    errors: ['directory-connection-not-found'],
  }),
  listDirectoryGroups: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/groups/list',
    summary: 'List the groups that the directory has made, by name',
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ groups: Type.Array(DirectoryGroup) }) },
  }),
  updateDirectoryGroup: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/groups/update',
    summary: 'Say which role the people of a group have',
    description:
      'They are at least that: of several groups the highest role counts, and nobody falls below the role they have without groups. Whoever is in no such group any more has that one again. The change is refused where it would leave the organization without an admin.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DirectoryId, role: nullable(words(roles)) }),
    replies: { 200: DirectoryGroup },
    errors: ['directory-group-not-found', 'last-admin'],
  }),
  listDirectoryRefusals: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/refusals/list',
    summary: 'List what was refused to directories, newest first',
    description: 'The last 50. The audit trail has all of them, as `directory.refused`.',
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ refusals: Type.Array(DirectoryRefusal) }) },
  }),
  restoreDirectoryUser: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/users/restore',
    summary:
      'Say that somebody whom the directory makes is the person it holds inactive: they are a member again',
    description:
      'With the role they had. For a directory that is refused `uniqueness` because it does not vouch for them by the same `externalId`.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DirectoryId }),
    replies: { 204: null },
    errors: ['directory-user-not-found', 'directory-user-kept-out'],
  }),
  releaseDirectoryName: operation({
    method: 'POST',
    path: '/api/v1/organizations/directory/users/release-name',
    summary:
      'Say that somebody whom the directory makes is another person: the name and the address are free for them',
    description:
      'Whom the directory holds inactive keeps their account and what they have written, without the address: nobody signs in to it any more. Refused where the address is not this organization’s to release.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DirectoryId }),
    replies: { 204: null },
    errors: ['directory-user-not-found', 'directory-address-stays'],
  }),
} as const
