import { findMember } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseConnectionUser, type RoomId } from '../../platform/ids.ts'
import type { MediaPort, ParticipantIdentity } from '../../ports/media.ts'
import { readOrganizationIdOfRoom } from './store.ts'

/** Somebody has appeared in a room. */
export interface Appeared {
  room: RoomId
  identity: ParticipantIdentity
}

/**
 * A person has appeared in a room. The media server checks tokens by itself, and one of before lets in whoever has been
 * removed since: they are put out again at once. Guests are not looked at here. May be repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function personConnected(
  { db, media }: { db: Db; media: Pick<MediaPort, 'remove'> },
  { room, identity }: Appeared,
): Promise<void> {
  const user = parseConnectionUser(identity)
  const organization = user && (await readOrganizationIdOfRoom(db, room))
  if (!organization || (await findMember(db, organization, user))) return
  await media.remove(room, identity)
}
