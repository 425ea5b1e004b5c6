import type { Db } from '../../platform/database/database.ts'
import { identityOfGuest, type RoomId } from '../../platform/ids.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'
import { readAdmitted } from './store.ts'

/** Identities of the guests of a room who are admitted now, connected or not. */
export async function admittedGuests(db: Db, room: RoomId): Promise<Set<ParticipantIdentity>> {
  return new Set((await readAdmitted(db, room)).map(identityOfGuest))
}
