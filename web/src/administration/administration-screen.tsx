import { useNavigate, useSearch } from '@tanstack/react-router'
import { pagePaths } from '../../page-paths.ts'
import { useMay, useMembership } from '../live/permissions.ts'
import { ExportCard } from '../shell/export-card.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAdministrationWords } from '../words/administration.ts'
import { AuditTrail } from './audit/audit-trail.tsx'
import { Directories } from './directory/directories.tsx'
import { DirectoryRefusals } from './directory/directory-refusals.tsx'
import { Domains } from './domains.tsx'
import { Limits } from './limits.tsx'
import { OrganizationCard, type OrganizationCardProps } from './organization-card.tsx'
import { Bots } from './programs/bots.tsx'
import { ServiceTokens } from './programs/service-tokens.tsx'
import { Webhooks } from './programs/webhooks.tsx'
import { Recordings } from './recordings.tsx'
import { RetentionCard } from './retention.tsx'
import { RoomsCard } from './rooms/rooms-card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { SignOn } from './sign-on.tsx'
import './administration.css'

/** What administrators look after: the organization itself, rooms, recordings, how people sign in, programs, and what was done. */
export function AdministrationScreen() {
  const words = useAdministrationWords()
  const may = useMay()
  const membership = useMembership()
  if (!membership || !may('EditOrganization'))
    return (
      <>
        <PageHeading title={words.title} />
        <EmptyState icon="administration" title={words.notYours} />
      </>
    )
  return (
    <>
      <PageHeading title={words.title} about={membership.organization.name}>
        <a href={pagePaths.health} className="button button-small">
          {words.health}
        </a>
      </PageHeading>
      <Parts organization={membership.organization} />
    </>
  )
}

const PARTS = ['office', 'people', 'rooms', 'connections', 'trail'] as const
type Part = (typeof PARTS)[number]

/** One of five at a time; the address says which, so that it can be linked to and gone back from. */
function Parts({ organization }: { organization: OrganizationCardProps['organization'] }) {
  const words = useAdministrationWords()
  const navigate = useNavigate()
  const { part } = useSearch({ strict: false })
  const chosen = PARTS.find((one) => one === part) ?? 'office'
  const choose = (next: Part) => void navigate({ to: pagePaths.administration, search: { part: next } })
  const tabs = PARTS.map((id) => ({ id, label: words.parts[id] }))
  return (
    <Tabs label={words.title} tabs={tabs} chosen={chosen} onChange={choose}>
      <div className="administration">
        {chosen === 'office' && <Office organization={organization} />}
        {chosen === 'people' && <PeopleAndAccess />}
        {chosen === 'rooms' && <RoomsAndRecordings />}
        {chosen === 'connections' && <Connections />}
        {chosen === 'trail' && <TrailAndLimits />}
      </div>
    </Tabs>
  )
}

function Office({ organization }: { organization: OrganizationCardProps['organization'] }) {
  const may = useMay()
  return (
    <>
      <OrganizationCard key={organization.id} organization={organization} />
      <SettingsCard />
      {may('ExportOrganization') && <ExportCard of="organization" />}
    </>
  )
}

function PeopleAndAccess() {
  const may = useMay()
  return (
    <>
      {may('ManageSingleSignOn') && <Domains />}
      {may('ManageSingleSignOn') && <SignOn />}
      {may('ManageDirectory') && <Directories />}
      {may('ManageDirectory') && <DirectoryRefusals />}
    </>
  )
}

function RoomsAndRecordings() {
  return (
    <>
      <RoomsCard />
      <Recordings />
      <RetentionCard />
    </>
  )
}

function Connections() {
  const may = useMay()
  return (
    <>
      {may('ManageServiceTokens') && <Bots />}
      {may('ManageServiceTokens') && <ServiceTokens />}
      {may('ManageWebhooks') && <Webhooks />}
    </>
  )
}

function TrailAndLimits() {
  const may = useMay()
  return (
    <>
      {may('ReadAuditLog') && <AuditTrail />}
      <Limits />
    </>
  )
}
