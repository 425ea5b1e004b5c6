import { nameOrganization } from '../../directory/organizations.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type OrganizationId,
  parseRoomId,
  type RoomId,
  type UserId,
} from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { composed } from '../../platform/text/unicode.ts'
import type { MediaPort, ParticipantIdentity } from '../../ports/media.ts'
import { isInside, usersInside } from '../media-events/reads.ts'
import { type AtDoor, letIn, readDoor } from './doors/door-store.ts'
import { noSuchRoom } from './rules.ts'
import {
  channelsOfRoom,
  holdRoom,
  isThere,
  type Room,
  readRoom,
  readRoomByName,
  readRoomFor,
  readRoomNames,
  readWhoseRoom,
} from './store.ts'

export { isIdentityInside as isIdentityInRoom } from '../media-events/reads.ts'
export type { ActivityBoard } from './activity/board.ts'
export type { ActivityTeller } from './activity/teller.ts'
export { programsOfRoom } from './agents/programs.ts'
export { isInsideNow } from './connections.ts'
export { mayGuestEnter, requireMayEnter } from './doors/entry.ts'
export { keepOut, type PutOutNeeds, putOutNow } from './doors/put-out.ts'
export { openTemporaryRoom } from './private/temporary-room.ts'
export { isConnectionOf, noSuchRoom } from './rules.ts'
export { isSealed, noteToken } from './sealed/live-tokens.ts'
export type { Room } from './store.ts'

/** Names of rooms of whichever organizations, by their ids; of those that are not deleted. */
export async function nameRooms(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  return await readRoomNames(
    db,
    ids.map(parseRoomId).filter((id) => id !== undefined),
  )
}

/**
 * A room of an organization by its id or, where it has none of that id, by its name: the operations on recordings
 * take either.
 * @param viewer sees that their own temporary rooms are temporary
 * @throws Refusal room-temporary
 */
export async function findRoom(
  db: Db,
  organization: OrganizationId,
  idOrName: string,
  viewer?: UserId,
): Promise<Room | undefined> {
  const id = parseRoomId(idOrName)
  const room = id && (await readLasting(db, organization, id, viewer))
  if (room) return room
  const name = composed(idOrName)?.trim()
  return name === undefined ? undefined : await readRoomByName(db, organization, name)
}

/**
 * The id of a room by its id or its name, as `findRoom`; by its id also of one that has been deleted: its recordings
 * stay.
 */
export async function findRoomEver(
  db: Db,
  organization: OrganizationId,
  idOrName: string,
): Promise<RoomId | undefined> {
  const room = await findRoom(db, organization, idOrName)
  if (room) return room.id
  const id = parseRoomId(idOrName)
  const ever = id && (await readWhoseRoom(db, id))
  return ever?.organization === organization && !ever.temporary ? id : undefined
}

/**
 * A room of an organization by its id. Of a temporary room only the two know, and for them it is none of the
 * organization's.
 * @param viewer sees that their own temporary rooms are temporary
 * @throws Refusal not-found, room-temporary
 */
export async function requireRoom(
  db: Db,
  organization: OrganizationId,
  roomId: string,
  viewer?: UserId,
): Promise<Room> {
  const id = parseRoomId(roomId)
  const room = id && (await readLasting(db, organization, id, viewer))
  if (!room) throw noSuchRoom()
  return room
}

async function readLasting(
  db: Db,
  organization: OrganizationId,
  id: RoomId,
  viewer: UserId | undefined,
): Promise<Room | undefined> {
  if (viewer === undefined) return await readRoom(db, organization, id)
  const room = await readRoomFor(db, organization, { id, person: viewer })
  if (room?.temporary) throw Refusal.of('room-temporary')
  return room
}

/** A room that a person may know of: the organization's, or a temporary one of theirs. @throws Refusal not-found */
export async function requireRoomFor(
  db: Db,
  organization: OrganizationId,
  { roomId, person }: { roomId: string; person: UserId },
): Promise<Room> {
  const id = parseRoomId(roomId)
  const room = id && (await readRoomFor(db, organization, { id, person }))
  if (!room) throw noSuchRoom()
  return room
}

/** The members who are in a room, each once. */
export async function peopleInRoom(db: Db, organization: OrganizationId, room: RoomId): Promise<UserId[]> {
  return await usersInside(db, organization, room)
}

/** Whether a person is in a room, by whichever connection. */
export async function isPersonInRoom(
  db: Db,
  organization: OrganizationId,
  place: { room: RoomId; user: UserId },
): Promise<boolean> {
  return await isInside(db, organization, place)
}

/** Whether a person answers at the door of a room: inside, and not about to be put out. */
export async function answersDoor(db: Db, at: AtDoor, now: Date): Promise<boolean> {
  if (!(await isInside(db, at.organization, at))) return false
  const removedUntil = (await readDoor(db, at))?.removedUntil
  return !removedUntil || removedUntil <= now
}

const LET_IN_SECONDS = 60

/** Lets a person into a locked room: one `room-auth` within a minute. */
export async function letInOnce(
  db: Db,
  at: { organization: OrganizationId; room: RoomId; user: UserId },
  now: Date,
): Promise<void> {
  await letIn(db, at, secondsAfter(now, LET_IN_SECONDS), now)
}

/** Whether a person is inside a sealed room of their organization. */
export async function isInsideSealed(
  db: Db,
  organization: OrganizationId,
  { roomId, user }: { roomId: string; user: UserId },
): Promise<boolean> {
  const id = parseRoomId(roomId)
  const room = id && (await readRoom(db, organization, id))
  return room?.sealed === true && (await isInside(db, organization, { room: room.id, user }))
}

/** Into a locked room a guest is let by who is inside, to a desk while its owner is there. @throws Refusal forbidden */
export async function requireDoorForGuests(
  db: Db,
  organization: OrganizationId,
  { room, user }: { room: RoomId; user: UserId },
): Promise<void> {
  const found = await readRoom(db, organization, room)
  const isHere = (person: UserId) => isInside(db, organization, { room, user: person })
  if (found?.lockedAt && !(await isHere(user))) throw Refusal.of('room-locked')
  if (found?.owner && !(await isHere(found.owner))) throw Refusal.of('room-locked')
}

/** As `requireRoom`, and until the transaction ends the room is not deleted. @throws Refusal not-found */
export async function keepRoom(tx: Tx, organization: OrganizationId, id: RoomId): Promise<void> {
  if (!(await holdRoom(tx, organization, id))) throw noSuchRoom()
}

/**
 * An automatic return takes nothing over from another device.
 * @param returning the connection that the client had last; undefined: it does not come back by itself
 * @throws Refusal conflict where the same identity is inside by another connection @throws ProviderFailure
 */
export async function requireNotElsewhere(
  media: Pick<MediaPort, 'participants'>,
  { room, identity }: { room: RoomId; identity: ParticipantIdentity },
  returning: { participantSid: string } | undefined,
): Promise<void> {
  if (!returning) return
  const others = (await media.participants(room)).filter((one) => one.identity === identity)
  if (others.some(({ sid }) => sid !== returning.participantSid)) throw Refusal.of('already-inside')
}

/**
 * Makes sure that a room is open at the media server, and not once it has been deleted: its deletion closes it after
 * all requests can know, so that one of the two sees the other.
 * @throws Refusal not-found @throws ProviderFailure
 */
export async function openRoom(
  { db, media }: { db: Db; media: Pick<MediaPort, 'openRoom' | 'closeRoom'> },
  organization: OrganizationId,
  id: RoomId,
): Promise<void> {
  await media.openRoom(id)
  if (await isThere(db, organization, id)) return
  await media.closeRoom(id)
  throw noSuchRoom()
}

/** The organization of a room. */
export interface RoomOwner {
  organization: OrganizationId
  /** `Organization.id` on the wire and in metrics. */
  organizationIdentityId: IdentityOrganizationId
  organizationName: string
  /** A temporary room: others than the two do not hear of it. */
  apart: boolean
  /** Where it is told what happens in it. */
  channels: readonly string[]
}

/**
 * The organization of a room among all of them, deleted ones included: for what the media server tells of it.
 * Undefined where the room is not ours.
 */
export async function organizationOfRoom(db: Db, room: RoomId): Promise<RoomOwner | undefined> {
  const whose = await readWhoseRoom(db, room)
  if (!whose) return undefined
  const { organization, temporary: apart } = whose
  const { identityId, name } = await nameOrganization(db, organization)
  const channels = await channelsOfRoom(db, room)
  return { organization, organizationIdentityId: identityId, organizationName: name, apart, channels }
}
