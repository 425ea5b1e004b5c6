import type { Role } from '@atrium/contract'
import { roleHolds } from '../../../access/permissions.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isInsideSince } from '../../media-events/reads.ts'
import { JOIN_TOKEN_SECONDS } from '../rules.ts'
import type { Room } from '../store.ts'
import { type AtDoor, notePutOut, readDoor, spendLetIn } from './door-store.ts'

/** Who left within this time returns to a locked room. */
const RETURN_SECONDS = 2 * 60
/** A token is used until its end, and its event comes a moment later. */
const EVENT_SECONDS = 30

interface Entering {
  at: AtDoor
  role: Role
}

/**
 * Whether a person may take a token for a room now. A locked room is open to moderators, to who is inside or left a
 * moment ago, and once to who was let in.
 * @throws Refusal forbidden
 */
export async function requireEntry(db: Db, room: Room, { at, role }: Entering, now: Date): Promise<void> {
  if (room.lockedAt === null || roleHolds(role, 'EditRoom')) return
  const door = await readDoor(db, at)
  if (await wasInside(db, at, door?.putOutAt ?? null, now)) return
  if (await spendLetIn(db, at, secondsAfter(now, JOIN_TOKEN_SECONDS + EVENT_SECONDS), now)) return
  throw Refusal.of('room-locked')
}

/**
 * Whether a person who has appeared in a locked room by some token may stay. Who may not is written down as put out:
 * this stay is not one to return to.
 */
export async function mayStay(
  db: Db,
  lockedAt: Date,
  { at, role, connection, appearedAt }: Entering & { connection: string; appearedAt: Date },
  now: Date,
): Promise<boolean> {
  if (appearedAt <= lockedAt || roleHolds(role, 'EditRoom')) return true
  const door = await readDoor(db, at)
  if (door?.expectedUntil && door.expectedUntil > now) return true
  if (await wasInside(db, at, door?.putOutAt ?? null, now, connection)) return true
  await notePutOut(db, at, now)
  return false
}

async function wasInside(
  db: Db,
  { organization, room, user }: AtDoor,
  putOutAt: Date | null,
  now: Date,
  except?: string,
): Promise<boolean> {
  const earliest = secondsAfter(now, -RETURN_SECONDS)
  const since = putOutAt && putOutAt > earliest ? putOutAt : earliest
  return await isInsideSince(db, organization, { room, user, since, joinedAfter: putOutAt, except })
}
