import { type LimitName, limitNames, organizationLimits, type Reply } from '@atrium/contract'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/** How much of a limit an organization uses now; null: it is not counted. */
export type LimitUsage = (name: LimitName, organization: OrganizationId) => Promise<number | null>

interface Needs {
  limits: Pick<OrganizationLimits, 'of'>
  limitUsage: LimitUsage
}

/** The limits of the active organization, and how much of each is used. */
export async function getOrganizationLimits(
  { limits, limitUsage }: Needs,
  caller: CallerOf<'getOrganizationLimits'>,
): Promise<Reply<'getOrganizationLimits'>> {
  const { id } = caller.organization
  const all = limitNames.map(async (name) => {
    const { unit, scope } = organizationLimits[name]
    return { name, limit: limits.of(id, name), used: await limitUsage(name, id), unit, scope }
  })
  return { status: 200, body: { limits: await Promise.all(all) } }
}
