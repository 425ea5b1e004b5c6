import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { listDomains } from '../../../directory/domains/domains.ts'
import type { Db } from '../../../platform/database/database.ts'
import { toDomainClaim } from './domain-view.ts'

interface Needs {
  db: Db
}

/** The domains of the active organization, by name, each with the record that proves it. */
export async function listOrganizationDomains(
  needs: Needs,
  caller: CallerOf<'listOrganizationDomains'>,
): Promise<Reply<'listOrganizationDomains'>> {
  const domains = await listDomains(needs.db, caller.organization.id)
  return { status: 200, body: { domains: domains.map(toDomainClaim) } }
}
