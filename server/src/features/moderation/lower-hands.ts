import { HANDS_LOWERED, type Input, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import type { MediaPort } from '../../ports/media.ts'
import type { ActivityTeller } from '../rooms/reads.ts'
import { requireRoomFor } from '../rooms/reads.ts'

interface Needs {
  db: Db
  media: Pick<MediaPort, 'sendData'>
  activityTeller: Pick<ActivityTeller, 'lowerHands'>
}

/** Lowers all hands in a room, and tells all participants. */
export async function lowerHands(
  { db, media, activityTeller }: Needs,
  { organization, user }: CallerOf<'lowerHands'>,
  { roomId }: Input<'lowerHands'>,
): Promise<Reply<'lowerHands'>> {
  const room = await requireRoomFor(db, organization.id, { roomId, person: user.id })
  // first what can fail: hands that are down are not refused
  await media.sendData(room.id, HANDS_LOWERED, {})
  await activityTeller.lowerHands(room.id)
  return { status: 204 }
}
