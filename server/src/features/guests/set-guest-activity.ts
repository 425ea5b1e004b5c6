import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type ActivityBoard, isIdentityInRoom } from '../rooms/reads.ts'
import { requireAdmitted } from './held-place.ts'

interface Needs {
  db: Db
  clock: Clock
  activity: ActivityBoard
}

/** A guest says how they are in the room that they are in. */
export async function setGuestActivity(
  { db, clock, activity }: Needs,
  visitor: CallerOf<'setGuestActivity'>,
  { inviteId, ...said }: Input<'setGuestActivity'>,
): Promise<Reply<'setGuestActivity'>> {
  const { id, organization, room } = await requireAdmitted({ db, clock }, visitor, inviteId)
  const who = identityOfGuest(id)
  if (!(await isIdentityInRoom(db, organization, { room, identity: who }))) throw Refusal.of('not-inside')
  activity.say({ organization, room, who }, said)
  return { status: 204 }
}
