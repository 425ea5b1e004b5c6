import { pagePaths } from '../../page-paths.ts'
import { useMay, useMembership } from '../live/permissions.ts'
import { ExportCard } from '../shell/export-card.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState } from '../ui/state.tsx'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'
import { AuditTrail } from './audit/audit-trail.tsx'
import { Directories } from './directory/directories.tsx'
import { DirectoryRefusals } from './directory/directory-refusals.tsx'
import { Domains } from './domains.tsx'
import { Limits } from './limits.tsx'
import { OrganizationCard } from './organization-card.tsx'
import { Recordings } from './recordings.tsx'
import { RetentionCard } from './retention.tsx'
import { RoomsCard } from './rooms-card.tsx'
import { ServiceTokens } from './service-tokens.tsx'
import { SettingsCard } from './settings-card.tsx'
import { SignOn } from './sign-on.tsx'
import { Webhooks } from './webhooks.tsx'
import './administration.css'

/** What administrators look after: the organization itself, rooms, recordings, how people sign in, programs, and what was done. */
export function AdministrationScreen() {
  const words = useWords({ en, de })
  const may = useMay()
  const membership = useMembership()
  if (!membership || !may('EditOrganization'))
    return (
      <>
        <PageHeading title={words.title} />
        <EmptyState icon="administration" title={words.notYours} />
      </>
    )
  const { organization } = membership
  return (
    <>
      <PageHeading title={words.title} about={organization.name}>
        <a href={pagePaths.health} className="button button-small">
          {words.health}
        </a>
      </PageHeading>
      <div className="administration">
        <OrganizationCard key={organization.id} organization={organization} />
        <RoomsCard />
        <Recordings />
        <SettingsCard />
        <RetentionCard />
        {may('ManageSingleSignOn') && <Domains />}
        {may('ManageSingleSignOn') && <SignOn />}
        {may('ManageDirectory') && <Directories />}
        {may('ManageDirectory') && <DirectoryRefusals />}
        {may('ManageServiceTokens') && <ServiceTokens />}
        {may('ManageWebhooks') && <Webhooks />}
        {may('ExportOrganization') && <ExportCard of="organization" />}
        <Limits />
        {may('ReadAuditLog') && <AuditTrail />}
      </div>
    </>
  )
}
