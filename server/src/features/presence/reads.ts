import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import { manualAsShown, type Presence, type VisibleStatus, visible } from './rules.ts'
import { readStatuses } from './store.ts'

/** What others see of people in an organization: every one that was asked for, who is unknown there is offline. */
export async function presenceOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, VisibleStatus>> {
  const statuses = users.length === 0 ? undefined : await readStatuses(db, organization, users)
  return new Map(users.map((user) => [user, visible(statuses?.get(user) ?? 'offline')]))
}

/** Somebody's own explicit choice, as it is stored, in the words of the profile; null where connectivity decides. */
export function manualStatusOf(stored: string | null): VisibleStatus | null {
  return manualAsShown(stored as Presence['manual'])
}

/** What others see of somebody of whom this is stored; null: nothing is. */
export function shownStatusOf(stored: string | null): VisibleStatus {
  return visible((stored ?? 'offline') as Presence['status'])
}

/** How many are stored as anything but offline, by organization; only of organizations where somebody is. */
export async function countPresent(db: Db): Promise<Map<OrganizationId, number>> {
  const rows = await db
    .selectFrom('presence')
    .select(({ fn }) => ['organization_id', fn.countAll<string>().as('count')])
    .where('status', '<>', 'offline')
    .groupBy('organization_id')
    .execute()
  return new Map(rows.map((row) => [trusted.organizationId(row.organization_id), Number(row.count)]))
}
