import type { Db } from '../../platform/database/database.ts'
import type { RoomId } from '../../platform/ids.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'
import { identityOfGuest, parseGuestIdentity } from './rules.ts'
import { readAdmitted, readGuestOfRoom } from './store.ts'

/** Identities of the guests of a room who are admitted now, connected or not. */
export async function admittedGuests(db: Db, room: RoomId): Promise<Set<ParticipantIdentity>> {
  return new Set((await readAdmitted(db, room)).map(identityOfGuest))
}

/** Whether an identity is that of a guest who is admitted to the room. */
export async function isAdmitted(db: Db, room: RoomId, identity: ParticipantIdentity): Promise<boolean> {
  const id = parseGuestIdentity(identity)
  const guest = id && (await readGuestOfRoom(db, room, id))
  return guest ? guest.state === 'admitted' : false
}
