import type { Db } from '../../../platform/database/database.ts'
import type { RoomId } from '../../../platform/ids.ts'
import type { MediaPort, ParticipantIdentity } from '../../../ports/media.ts'
import { readWhoseRoom } from '../store.ts'

interface Needs {
  db: Db
  media: Pick<MediaPort, 'remove'>
}

/**
 * A track that is not encrypted has appeared in a room: in a sealed one its publisher is put out, for not every media
 * server refuses the track. May be repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function openTrackPublished(
  { db, media }: Needs,
  { room, identity }: { room: RoomId; identity: ParticipantIdentity },
): Promise<void> {
  if (!(await readWhoseRoom(db, room))?.sealed) return
  await media.remove(room, identity)
}
