import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isPersonInRoom, requireRoomFor } from '../reads.ts'
import type { ActivityBoard } from './board.ts'

interface Needs {
  db: Db
  activity: ActivityBoard
}

/** Says how the caller is in the room that they are in. */
export async function setActivity(
  { db, activity }: Needs,
  { organization, user }: CallerOf<'setActivity'>,
  { roomId, ...said }: Input<'setActivity'>,
): Promise<Reply<'setActivity'>> {
  const room = await requireRoomFor(db, organization.id, { roomId, person: user.id })
  if (!(await isPersonInRoom(db, organization.id, { room: room.id, user: user.id })))
    throw Refusal.of('not-inside')
  activity.say({ organization: organization.id, room: room.id, who: user.id }, said)
  return { status: 204 }
}
