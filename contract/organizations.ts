import Type from 'typebox'
import { operation } from './operation.ts'
import { Organization, OrganizationListItem } from './shapes.ts'

const chapter = 'Organizations and invitations'

export const organizationOperations = {
  listOrganizations: operation({
    method: 'POST',
    path: '/api/v1/organizations/list',
    summary: "List the caller's organizations",
    chapter,
    access: { kind: 'session' },
    replies: { 200: Type.Array(OrganizationListItem) },
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/api/v1/organizations/create',
    summary: 'Create an organization',
    description: 'The creator becomes its admin; it becomes the active organization where none was.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
    replies: { 200: Organization },
  }),
} as const
