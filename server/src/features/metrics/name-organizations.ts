import { listOrganizationsById } from '../../directory/organizations.ts'
import type { Job } from '../../platform/background/jobs.ts'
import type { Db } from '../../platform/database/database.ts'
import { trusted } from '../../platform/ids.ts'
import { NO_ORGANIZATION, type RequestLoad } from './request-load.ts'

const EVERY_MS = 5_000

/** The ids by which metrics and operators know the organizations that are at work on this node: only of those shown. */
export function nameOrganizations(
  db: Db,
  load: Pick<RequestLoad, 'reports'>,
): { job: Job; orgIdOf(organization: string): string | undefined } {
  let known: ReadonlyMap<string, string> = new Map()
  const run = async () => {
    const shown = load
      .reports()
      .organizations.top.map(({ key }) => key)
      .filter((key) => key !== NO_ORGANIZATION)
    if (shown.every((key) => known.has(key))) return
    const found = await listOrganizationsById(db, shown.map(trusted.organizationId))
    known = new Map(found.map(({ id, identityId }) => [id, identityId]))
  }
  return {
    job: { name: 'name-organizations', everyMs: EVERY_MS, scope: 'node', run },
    orgIdOf: (organization) => known.get(organization),
  }
}
