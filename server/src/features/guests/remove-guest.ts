import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { announceLeft } from './announce.ts'
import { requireGuestToDecide } from './deciders.ts'
import { type EnforceNeeds, enforceNow } from './enforce.ts'
import { markRemoved } from './state-store.ts'
import { type Guest, readGuest } from './store.ts'

export interface RemoveGuestNeeds extends EnforceNeeds {
  db: Db
  clock: Clock
}

type Needs = RemoveGuestNeeds
type Caller = CallerOf<'removeGuest'>

/** Puts out a guest who was admitted, for as long as their link lasts; again is right too. */
export async function removeGuest(
  needs: Needs,
  caller: Caller,
  input: Input<'removeGuest'>,
): Promise<Reply<'removeGuest'>> {
  await putGuestOut(needs, caller, await requireGuestToDecide(needs.db, caller, input))
  return { status: 204 }
}

/** Puts a guest out for good. @throws Refusal conflict where they are not admitted, or gone */
export async function putGuestOut(needs: Needs, caller: Caller, guest: Guest): Promise<void> {
  const removed = (await removeOnce(needs, caller, guest)) ?? (await removedBefore(needs, guest))
  await enforceNow(needs, caller, removed)
}

async function removeOnce({ db, clock }: Needs, caller: Caller, guest: Guest): Promise<Guest | undefined> {
  const now = clock.now()
  return await transaction(db, async (tx) => {
    const removed = await markRemoved(tx, guest, caller.user.id, now)
    if (!removed) return undefined
    await announceLeft(tx, removed, now)
    await recordAudit(tx, removed.organization, caller, now, {
      action: 'guest.removed',
      target: { kind: 'guest', id: identityOfGuest(removed.id) },
      detail: { roomId: removed.room, name: removed.name },
    })
    return removed
  })
}

/** Another member was first, or the guest is not in the room. */
async function removedBefore({ db, clock }: Needs, { organization, room, id }: Guest): Promise<Guest> {
  const guest = await readGuest(db, organization, room, id)
  if (!guest) throw Refusal.of('guest-not-found')
  if (guest.removedAt) return guest
  if (guest.state === 'left') throw Refusal.of('guest-left')
  if (guest.expiresAt <= clock.now() || guest.state === 'expired') throw Refusal.of('guest-expired')
  throw Refusal.of('guest-not-admitted')
}
