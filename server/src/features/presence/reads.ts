import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { manualAsShown, type VisibleStatus, visible } from './rules.ts'
import { readManualStatus, readStatuses } from './store.ts'

/** What others see of people in an organization: every one that was asked for, who is unknown there is offline. */
export async function presenceOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, VisibleStatus>> {
  const statuses = users.length === 0 ? undefined : await readStatuses(db, organization, users)
  return new Map(users.map((user) => [user, visible(statuses?.get(user) ?? 'offline')]))
}

/** Somebody's own explicit choice, as the profile shows it; null where connectivity decides. */
export async function manualStatusOf(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<VisibleStatus | null> {
  return manualAsShown(await readManualStatus(db, organization, user))
}
