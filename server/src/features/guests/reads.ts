import type { Db } from '../../platform/database/database.ts'
import { identityOfGuest, type OrganizationId, parseGuestIdentity, type RoomId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'
import { type Guest, readAdmitted, readGuest } from './store.ts'

export { requireAdmitted } from './held-place.ts'
export { putGuestOut, type RemoveGuestNeeds } from './remove-guest.ts'
export type { Guest } from './store.ts'

/** A guest of a room, without regard to who may decide on them. @throws Refusal not-found */
export async function requireGuestOfRoom(
  db: Db,
  organization: OrganizationId,
  { room, guestIdentity }: { room: RoomId; guestIdentity: string },
): Promise<Guest> {
  const id = parseGuestIdentity(guestIdentity)
  const guest = id && (await readGuest(db, organization, room, id))
  if (!guest) throw Refusal.of('guest-not-found')
  return guest
}

/** Identities of the guests of a room who are admitted now, connected or not. */
export async function admittedGuests(db: Db, room: RoomId): Promise<Set<ParticipantIdentity>> {
  return new Set((await readAdmitted(db, room)).map(identityOfGuest))
}

/** What guests of an organization are called, by their ids. */
export async function nameGuests(
  db: Db,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('guests')
    .select(['id', 'name'])
    .where('organization_id', '=', organization)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
