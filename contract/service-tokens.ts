import Type from 'typebox'
import { memberOperations } from './members.ts'
import { type Operation, operation } from './operation.ts'
import { organizationOperations } from './organizations.ts'
import { presenceOperations } from './presence.ts'
import { recordingOperations } from './recordings.ts'
import { roomOperations } from './rooms.ts'
import { NameField, nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Service tokens'
const mayManage = { kind: 'organization', permission: 'ManageServiceTokens' } as const

const chapters: Readonly<Record<string, Operation>> = {
  ...organizationOperations,
  ...memberOperations,
  ...presenceOperations,
  ...roomOperations,
  ...recordingOperations,
}

/** The operations that a service token can be made for, by their ids: those open to service tokens by their access. */
export const serviceTokenScopes: readonly string[] = Object.entries(chapters)
  .filter(([, { access }]) => access.kind === 'organization' && access.serviceTokens)
  .map(([id]) => id)

const ServiceToken = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    operations: Type.Array(Type.String(), { description: 'What it may call: operation ids' }),
    createdBy: Type.String({ description: 'A User.id' }),
    createdAt: Timestamp,
    expiresAt: nullable(Timestamp),
    lastUsedAt: nullable(Timestamp),
  },
  { title: 'ServiceToken' },
)

export const serviceTokenOperations = {
  createServiceToken: operation({
    method: 'POST',
    path: '/api/v1/organizations/tokens/create',
    summary: 'Make a token with which a program acts for the organization',
    description:
      'The token is shown this once. It is sent as `Authorization: Bearer atr_…`, and may call the operations that it is made for, in the active organization, until it expires or is revoked. It belongs to the organization: it outlives the membership of whoever made it.',
    chapter,
    access: mayManage,
    body: Type.Object({
      name: NameField({ min: 1, max: 100 }),
      operations: Type.Array(words(serviceTokenScopes), {
        minItems: 1,
        maxItems: 100,
        label: 'operation ids',
      }),
      expiresAt: Type.Optional(
        Type.String({
          format: 'date-time',
          minLength: 20,
          maxLength: 40,
          description: 'RFC 3339, in the future; not given: it does not expire',
        }),
      ),
    }),
    replies: {
      201: Type.Object({ id: Type.String(), token: Type.String({ description: 'Shown this once' }) }),
    },
    errors: ['too-many-tokens'],
  }),
  listServiceTokens: operation({
    method: 'POST',
    path: '/api/v1/organizations/tokens/list',
    summary: "List the organization's service tokens, newest first",
    description: 'The expired ones too, until they are revoked; never the tokens themselves.',
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ tokens: Type.Array(ServiceToken) }) },
  }),
  revokeServiceToken: operation({
    method: 'POST',
    path: '/api/v1/organizations/tokens/revoke',
    summary: 'Revoke a service token: its next call is refused',
    chapter,
    access: mayManage,
    body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
    replies: { 204: null },
    errors: ['token-not-found'],
  }),
} as const
