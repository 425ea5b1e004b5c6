import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { listAdmitters, roleAdmits } from '../../../directory/members/members.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { identityOfGuest } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isInsideSealed, requireRoom } from '../../rooms/reads.ts'
import { mayDecideOn } from '../rules.ts'
import { listGuestsOfRoom } from '../store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const LIMIT = 500
const OTHERS_FOR_SECONDS = DAY_SECONDS

/**
 * The guests of a room: what `guest.waiting` and `guest.decided` have told, for clients that come later. Members inside a
 * sealed room seal to those who are admitted, and are shown them whatever their role.
 */
export async function listGuests(
  needs: Needs,
  caller: CallerOf<'listGuests'>,
  input: Input<'listGuests'>,
): Promise<Reply<'listGuests'>> {
  const organization = caller.organization.id
  const mayAdmit = await roleAdmits(needs.db, organization, caller.organization.role)
  const place = { roomId: input.roomId, user: caller.user.id }
  if (!(mayAdmit || (await isInsideSealed(needs.db, organization, place))))
    throw Refusal.of('role-not-allowed')
  const room = await requireRoom(needs.db, organization, input.roomId)
  const now = needs.clock.now()
  const others = secondsAfter(now, -OTHERS_FOR_SECONDS)
  const admins = await listAdmitters(needs.db, organization)
  const shown = mayAdmit ? { others } : { admittedAt: now }
  const guests = await listGuestsOfRoom(needs.db, organization, room.id, { ...shown, limit: LIMIT })
  return {
    status: 200,
    body: {
      guests: guests.map(({ id, name, state, since, expiresAt, publicKey, ...policy }) => ({
        guestIdentity: identityOfGuest(id),
        guestName: name,
        // the job that writes it down comes a moment later
        state: expiresAt <= now && (state === 'waiting' || state === 'admitted') ? 'expired' : state,
        since: since.toISOString(),
        ...(publicKey !== null && { publicKey }),
        ...(mayAdmit && mayDecideOn(admins, policy, caller.user.id) ? {} : { mayDecide: false }),
      })),
    },
  }
}
