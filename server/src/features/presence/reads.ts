import type { ShownPresence } from '../../directory/member-view.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import { roomsOfPeople } from '../media-events/reads.ts'
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

/** The same with what they are at, as `Member` shows it. */
export async function memberPresenceOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, ShownPresence>> {
  const statuses = await presenceOf(db, organization, users)
  const rooms = await roomsOfPeople(db, organization, users)
  return new Map(
    users.map((user) => [
      user,
      shownPresenceOf({ status: statuses.get(user) ?? null, room: rooms.get(user) ?? null }),
    ]),
  )
}

/** What others see of somebody of whom this is stored; no status: nothing is. In a room one is seen, however one appears. */
export function shownPresenceOf({
  status,
  room,
}: {
  status: string | null
  room: RoomId | null
}): ShownPresence {
  const presenceStatus = visible((status ?? 'offline') as Presence['status'])
  return { presenceStatus, ...(room ? { activity: 'in-room', roomId: room } : {}) }
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
