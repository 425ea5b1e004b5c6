import type { LimitName } from '@atrium/contract'
import { setLimit as storeLimit, unsetLimit } from '../../src/access/budgets/organization-limit-store.ts'
import { findOrganization } from '../../src/directory/organizations.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../src/platform/ids.ts'
import type { TestOffice } from '../office.ts'
import { until } from '../until.ts'

/** The internal id of an organization. */
export async function internalIdOf(
  office: TestOffice,
  { organizationId }: { organizationId: string },
): Promise<OrganizationId> {
  const found = await findOrganization(office.database.db, trusted.identityOrganizationId(organizationId))
  if (!found) throw new Error(`there is no organization ${organizationId}`)
  return found.id
}

/**
 * Sets a limit of an organization, or of one person of it, and waits until a node has heard of it.
 * @param value null: what the deployment gives
 */
export async function setLimit(
  office: TestOffice,
  organization: { organizationId: string; person?: { id: string } },
  name: LimitName,
  value: number | null,
): Promise<void> {
  const { db } = office.database
  const id = await internalIdOf(office, organization)
  const person = organization.person && trusted.userId(organization.person.id)
  const owner = { organization: id, user: person }
  await transaction(db, async (tx) => {
    if (value === null) await unsetLimit(tx, owner, name)
    else await storeLimit(tx, owner, { name, value }, office.clock.now())
  })
  const { limits } = office.office.access
  await until(() => ((person ? limits.personal(id, name, person) : limits.own(id, name)) ?? null) === value)
}
