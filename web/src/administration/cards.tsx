import type { ComponentType } from 'react'
import type { PermissionName } from '../live/permissions.ts'
import { ExportCard } from '../shell/export-card.tsx'
import { AuditTrail } from './audit/audit-trail.tsx'
import { Directories } from './directory/directories.tsx'
import { DirectoryRefusals } from './directory/directory-refusals.tsx'
import { Domains } from './domains.tsx'
import type { CardId } from './find/findable-settings.ts'
import { Limits } from './limits.tsx'
import { OrganizationCard } from './organization-card.tsx'
import { Bots } from './programs/bots.tsx'
import { ServiceTokens } from './programs/service-tokens.tsx'
import { Webhooks } from './programs/webhooks.tsx'
import { Recordings } from './recordings.tsx'
import { RetentionCard } from './retention.tsx'
import { RoomsCard } from './rooms/rooms-card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { SignOn } from './sign-on.tsx'

export const PARTS = ['office', 'people', 'rooms', 'connections', 'trail'] as const
export type Part = (typeof PARTS)[number]

export interface AdministrationCard {
  part: Part
  Shown: ComponentType
  /** Without it the card is not shown, nor found. */
  permission?: PermissionName
}

/** Every card of administration, in the order in which they are shown. */
export const CARDS: Record<CardId, AdministrationCard> = {
  organization: { part: 'office', Shown: OrganizationCard },
  settings: { part: 'office', Shown: SettingsCard },
  export: {
    part: 'office',
    Shown: () => <ExportCard of="organization" />,
    permission: 'ExportOrganization',
  },
  domains: { part: 'people', Shown: Domains, permission: 'ManageSingleSignOn' },
  signOn: { part: 'people', Shown: SignOn, permission: 'ManageSingleSignOn' },
  directories: { part: 'people', Shown: Directories, permission: 'ManageDirectory' },
  refusals: { part: 'people', Shown: DirectoryRefusals, permission: 'ManageDirectory' },
  rooms: { part: 'rooms', Shown: RoomsCard },
  recordings: { part: 'rooms', Shown: Recordings },
  retention: { part: 'rooms', Shown: RetentionCard },
  bots: { part: 'connections', Shown: Bots, permission: 'ManageServiceTokens' },
  tokens: { part: 'connections', Shown: ServiceTokens, permission: 'ManageServiceTokens' },
  webhooks: { part: 'connections', Shown: Webhooks, permission: 'ManageWebhooks' },
  trail: { part: 'trail', Shown: AuditTrail, permission: 'ReadAuditLog' },
  limits: { part: 'trail', Shown: Limits },
}
