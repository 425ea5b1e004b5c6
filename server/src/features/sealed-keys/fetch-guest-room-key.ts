import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { requireAdmitted } from '../guests/reads.ts'
import { readOwnBox } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** What was sealed to the page of an admitted guest. */
export async function fetchGuestRoomKey(
  { db, clock }: Needs,
  visitor: CallerOf<'fetchGuestRoomKey'>,
  { inviteId }: Input<'fetchGuestRoomKey'>,
): Promise<Reply<'fetchGuestRoomKey'>> {
  const guest = await requireAdmitted({ db, clock }, visitor, inviteId)
  return { status: 200, body: await readOwnBox(db, guest, { guest: guest.id }) }
}
