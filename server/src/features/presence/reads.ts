import type { VisibleStatus } from '@atrium/contract'
import { sql } from 'kysely'
import type { MemberViewer, ShownPresence } from '../../directory/members/member-view.ts'
import type { ListedMember } from '../../directory/members/search-members.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import { roomsOfPeople } from '../media-events/reads.ts'
import {
  ABSENT,
  currentNote,
  isBusyByMeeting,
  manualAsShown,
  type Presence,
  visible,
  visibleNote,
} from './rules.ts'
import { isPresent, readPresences, readStatuses } from './store.ts'

/** What others see of people in an organization: every one that was asked for, who is unknown there is offline. */
export async function presenceOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, VisibleStatus>> {
  const statuses = users.length === 0 ? undefined : await readStatuses(db, organization, users)
  return new Map(users.map((user) => [user, visible(statuses?.get(user) ?? 'offline')]))
}

/** A member's own explicit choice, as it is stored, in the words of the profile; null where connectivity decides. */
export function manualStatusOf(stored: string | null): VisibleStatus | null {
  return manualAsShown(stored as Presence['manual'])
}

/** What people appear as, are at and say, as `Member` shows it to a viewer. */
export async function memberPresenceOf(
  db: Db,
  organization: OrganizationId,
  users: readonly UserId[],
  { viewer, now }: MemberViewer,
): Promise<Map<UserId, ShownPresence>> {
  const stored = await readPresences(db, organization, users)
  const rooms = await roomsOfPeople(db, organization, users)
  return new Map(
    users.map((user) => {
      const presence = { ...(stored.get(user) ?? ABSENT), room: rooms.get(user) ?? null }
      return [user, shownPresenceOf(presence, { isSelf: user === viewer, now })]
    }),
  )
}

/**
 * What is seen of a member of whom this is stored; no status: nothing is. In a room one is seen, however one appears;
 * one's own note one sees always.
 */
export function shownPresenceOf(
  stored: ListedMember['presence'],
  { isSelf, now }: { isSelf: boolean; now: Date },
): ShownPresence {
  const manual = stored.manual as Presence['manual']
  const presence = { ...stored, manual, status: (stored.status ?? 'offline') as Presence['status'] }
  const { note, until } = isSelf ? currentNote(presence, now) : visibleNote(presence, now)
  return {
    presenceStatus: visible(presence.status),
    ...activityOf(stored.room, isBusyByMeeting(presence)),
    ...(note === null ? {} : { note }),
    ...(until ? { until: until.toISOString() } : {}),
  }
}

/** In a room comes before in a meeting: it is what goes on. */
function activityOf(room: RoomId | null, inMeeting: boolean): Pick<ShownPresence, 'activity' | 'roomId'> {
  if (room) return { activity: 'in-room', roomId: room }
  return inMeeting ? { activity: 'in-meeting' } : {}
}

/** How many people are stored as anything but offline, by organization; organizations without any are left out. */
export async function countPresent(db: Db): Promise<Map<OrganizationId, number>> {
  const rows = await db
    .selectFrom('presence')
    .select(({ fn }) => ['organization_id', fn.countAll<string>().as('count')])
    .where(isPresent)
    .where(sql<boolean>`not exists (select from users u where u.id = presence.user_id and u.is_bot)`)
    .groupBy('organization_id')
    .execute()
  return new Map(rows.map((row) => [trusted.organizationId(row.organization_id), Number(row.count)]))
}
