import type { Reply } from '@atrium/contract'
import { avatarUrlOf } from '../../directory/image-urls.ts'
import { listNamesById, type UserName } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { type Occupancy, readOccupancy } from '../media-events/reads.ts'
import type { Room } from './store.ts'

export type ListedRoom = Reply<'getRoom'>['body']['room']

export interface RoomViewNeeds {
  db: Db
  imageBaseUrl: string
}

const EMPTY: Occupancy = { people: [], guests: 0, recording: false }

/** Some rooms of an organization with what goes on in them, in three statements however many there are. */
export async function roomViews(
  { db, imageBaseUrl }: RoomViewNeeds,
  organization: OrganizationId,
  rooms: readonly Room[],
): Promise<ListedRoom[]> {
  const [only] = rooms
  if (!only) return []
  const occupancy = await readOccupancy(db, organization, rooms.length === 1 ? only.id : undefined)
  const inside = new Set([...occupancy.values()].flatMap(({ people }) => people.map(({ user }) => user)))
  const users = inside.size === 0 ? new Map() : await listNamesById(db, [...inside])
  return rooms.map((room) => viewOf(room, occupancy.get(room.id) ?? EMPTY, users, imageBaseUrl))
}

/** One room with what goes on in it. */
export async function roomView(needs: RoomViewNeeds, room: Room): Promise<ListedRoom> {
  const [view] = await roomViews(needs, room.organization, [room])
  return view as ListedRoom
}

function viewOf(
  { id, name, metadata, createdAt }: Room,
  { people, guests, recording }: Occupancy,
  users: ReadonlyMap<UserId, UserName>,
  imageBaseUrl: string,
): ListedRoom {
  return {
    ...{ id, name, metadata, guests, recording },
    createdAt: createdAt.toISOString(),
    people: people.flatMap(({ user, ...inside }) => {
      const known = users.get(user)
      // an identity that no token of ours gave
      if (!known) return []
      return {
        userId: user,
        presenceUserId: known.identityId,
        displayName: known.displayName,
        avatarUrl: avatarUrlOf(known.avatarKey, imageBaseUrl) ?? '',
        ...inside,
      }
    }),
  }
}
