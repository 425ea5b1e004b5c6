import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { listAdmitters } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { identityOfGuest } from '../../../platform/ids.ts'
import { mayDecideOn } from '../rules.ts'
import { listWaiting } from '../store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const LIMIT = 500

/** Guests before any room whom the caller may admit: what `guest.waiting` has told, for clients that come later. */
export async function listWaitingGuests(
  needs: Needs,
  caller: CallerOf<'listWaitingGuests'>,
  _input: Input<'listWaitingGuests'>,
): Promise<Reply<'listWaitingGuests'>> {
  const organization = caller.organization.id
  const waiting = await listWaiting(needs.db, organization, { now: needs.clock.now(), limit: LIMIT })
  const admins = waiting.length > 0 ? await listAdmitters(needs.db, organization) : []
  return {
    status: 200,
    body: {
      guests: waiting
        .filter((guest) => mayDecideOn(admins, guest, caller.user.id))
        .map(({ id, room, name, since }) => ({
          roomId: room,
          guestIdentity: identityOfGuest(id),
          guestName: name,
          since: since.toISOString(),
        })),
    },
  }
}
