import type { Role } from '@atrium/contract'
import { roleHolds } from '../../../access/permissions.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId, RoomId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { ParticipantIdentity } from '../../../ports/media.ts'
import { isInside, isInsideSince } from '../../media-events/reads.ts'
import { JOIN_TOKEN_SECONDS } from '../rules.ts'
import { type Room, readRoom } from '../store.ts'
import { type AtDoor, forgetRemoved, notePutOut, readDoor, spendLetIn } from './door-store.ts'
import type { RoomAtDoor } from './room-at-door.ts'

/** Who left within this time returns to a locked room. */
const RETURN_SECONDS = 2 * 60
/** A token is used until its end, and its event comes a moment later. */
const EVENT_SECONDS = 30

interface AdmittedGuest {
  organization: OrganizationId
  room: RoomId
  identity: ParticipantIdentity
  admittedAt: Date
}

interface Entering {
  at: AtDoor
  role: Role
}

/**
 * Whether a person may take a token for a room now. A desk is open while its owner is there. A locked room is open to
 * moderators, to who is inside or left a moment ago, and once to who was let in.
 * @returns by what: `let-in` is spent by `spendEntry` once nothing else stands in the way
 * @throws Refusal forbidden
 */
export async function requireEntry(
  db: Db,
  room: RoomAtDoor,
  entering: Entering,
  now: Date,
): Promise<'let-in' | 'open'> {
  const by = await requireOpenDoor(db, room, entering, now)
  if (room.door?.removedUntil) await forgetRemoved(db, entering.at)
  return by
}

/** The same of a member who wants to do something in a room without entering: nothing is spent. @throws Refusal forbidden */
export async function requireMayEnter(
  db: Db,
  room: Pick<Room, 'lockedAt' | 'owner'>,
  entering: Entering,
  now: Date,
): Promise<void> {
  await requireOpenDoor(db, { ...room, door: await readDoor(db, entering.at) }, entering, now)
}

/** What `accept` gave is good for one token. @throws Refusal forbidden where another request has spent it meanwhile */
export async function spendEntry(db: Db, at: AtDoor, now: Date): Promise<void> {
  if (await spendLetIn(db, at, secondsAfter(now, JOIN_TOKEN_SECONDS + EVENT_SECONDS), now)) return
  throw Refusal.of('room-locked')
}

async function requireOpenDoor(
  db: Db,
  { door, ...room }: Pick<RoomAtDoor, 'lockedAt' | 'owner' | 'door'>,
  { at, role }: Entering,
  now: Date,
): Promise<'let-in' | 'open'> {
  if (door?.removedUntil && door.removedUntil > now) throw removed(door.removedUntil, now)
  if (isAnothersDesk(room, at) && !(await isOwnerInside(db, room, at))) throw Refusal.of('room-locked')
  if (room.lockedAt === null || roleHolds(role, 'EditRoom')) return 'open'
  if (await wasInside(db, at, door?.putOutAt ?? null, now)) return 'open'
  if (door?.letInUntil && door.letInUntil > now) return 'let-in'
  throw Refusal.of('room-locked')
}

function removed(until: Date, now: Date): Refusal {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1_000)
  const message = `You were removed from this room. You can come back in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return Refusal.of('removed-from-room', { message, retryAfterSeconds: seconds })
}

function isAnothersDesk({ owner }: Pick<Room, 'owner'>, { user }: AtDoor): boolean {
  return owner !== null && owner !== user
}

function isOwnerInside(
  db: Db,
  { owner }: Pick<Room, 'owner'>,
  { organization, room }: AtDoor,
): Promise<boolean> {
  return owner === null ? Promise.resolve(true) : isInside(db, organization, { room, user: owner })
}

/**
 * Whether a person who has appeared in a room by some token may stay: in a locked one, at a desk, or after they were
 * removed. A stay in a locked room that may not be is written down: it is not one to return to.
 */
export async function mayStay(
  db: Db,
  room: Pick<Room, 'lockedAt' | 'owner'>,
  { at, role, connection, appearedAt }: Entering & { connection: string; appearedAt: Date },
  now: Date,
): Promise<boolean> {
  const door = await readDoor(db, at)
  if (door?.removedUntil) return false
  if (isAnothersDesk(room, at) && !(await isOwnerInside(db, room, at))) return false
  if (room.lockedAt === null || appearedAt <= room.lockedAt || roleHolds(role, 'EditRoom')) return true
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

/**
 * Whether a guest who was let in may come in now, by the rule for members: where they were inside a moment ago; to a desk
 * while its owner is there; into a locked room where the admission is later than the lock: then it is of a member inside.
 * @param appeared where they have come in by some token: the connection, and since when
 */
export async function mayGuestEnter(
  db: Db,
  { organization, room, identity, admittedAt }: AdmittedGuest,
  now: Date,
  appeared?: { connection: string; at: Date },
): Promise<boolean> {
  const found = await readRoom(db, organization, room)
  if (!found) return true
  const { lockedAt, owner } = found
  const isOpen = lockedAt === null || admittedAt > lockedAt || (appeared && appeared.at <= lockedAt)
  if (isOpen && (owner === null || (await isInside(db, organization, { room, user: owner })))) return true
  const since = secondsAfter(now, -RETURN_SECONDS)
  const stay = { room, identity, since, joinedAfter: null, except: appeared?.connection }
  return await isInsideSince(db, organization, stay)
}
