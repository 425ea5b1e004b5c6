import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { words } from './shapes.ts'

const chapter = 'Organizations and invitations'

/** From which role on members may let guests in. */
export const guestAdmissions = ['admin', 'moderator', 'member'] as const
export const organizationLanguages = ['en', 'de'] as const

const settings = {
  guestAdmission: words(guestAdmissions, {
    description: 'From which role on members let guests in, and hear of those who wait',
  }),
  agents: Type.Boolean({ description: 'Whether programs may come into rooms' }),
  language: words(organizationLanguages, {
    description: 'Of mails to people of whom no language is known',
  }),
}

const OrganizationSettings = Type.Object(settings, { title: 'OrganizationSettings' })
export type OrganizationSettings = Static<typeof OrganizationSettings>

export const settingsOperations = {
  getOrganizationSettings: operation({
    method: 'POST',
    path: '/api/v1/organizations/settings/get',
    summary: 'Read what the organization has decided of itself',
    description: 'For everybody in it. Where nothing was decided: `admin`, `true`, `en`.',
    chapter,
    access: { kind: 'organization' },
    replies: { 200: OrganizationSettings },
  }),
  updateOrganizationSettings: operation({
    method: 'POST',
    path: '/api/v1/organizations/settings/update',
    summary: 'Decide who lets guests in, whether programs come into rooms, and the language of mails',
    description: 'What is not given stays as it is. It holds from the next request on.',
    chapter,
    access: { kind: 'organization', permission: 'EditOrganization' },
    body: Type.Object({
      guestAdmission: Type.Optional(settings.guestAdmission),
      agents: Type.Optional(settings.agents),
      language: Type.Optional(settings.language),
    }),
    replies: { 200: OrganizationSettings },
  }),
} as const
