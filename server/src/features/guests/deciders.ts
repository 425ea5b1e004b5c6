import type { Input } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listAdmitters } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseGuestIdentity } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { requireRoom } from '../rooms/reads.ts'
import { mayDecideOn } from './rules.ts'
import { type Guest, readGuest } from './store.ts'

type Caller = CallerOf<'admitGuest' | 'removeGuest'>

/** A guest of a room whom the caller may decide on. @throws Refusal not-found, forbidden */
export async function requireGuestToDecide(
  db: Db,
  caller: Caller,
  input: Input<'removeGuest'>,
): Promise<Guest> {
  const organization = caller.organization.id
  const room = await requireRoom(db, organization, input.roomId)
  const id = parseGuestIdentity(input.guestIdentity)
  const guest = id && (await readGuest(db, organization, room.id, id))
  if (!guest) throw Refusal.of('guest-not-found')
  if (mayDecideOn(await listAdmitters(db, organization), guest, caller.user.id)) return guest
  throw Refusal.of('not-allowed-to-admit')
}
