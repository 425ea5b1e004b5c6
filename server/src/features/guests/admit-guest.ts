import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { keepRoom, requireDoorForGuests } from '../rooms/reads.ts'
import { announceDecision } from './announce.ts'
import { requireGuestToDecide } from './deciders.ts'
import { type EnforceNeeds, enforceNow } from './enforce.ts'
import { BACK_OFF_SECONDS, STATE_OF } from './rules.ts'
import { decide } from './state-store.ts'
import { type Guest, readGuest } from './store.ts'

interface Needs extends EnforceNeeds {
  db: Db
  clock: Clock
}

type Caller = CallerOf<'admitGuest'>
type Action = Input<'admitGuest'>['action']

/**
 * Decides on a guest who waits: once. The decision stands when this answers, whether the guest is connected or the
 * media server can be reached this moment or not; what it could not be told is told it later.
 */
export async function admitGuest(
  needs: Needs,
  caller: Caller,
  input: Input<'admitGuest'>,
): Promise<Reply<'admitGuest'>> {
  const { action } = input
  const guest = await requireGuestToDecide(needs.db, caller, input)
  const decided =
    (await decideOnce(needs, caller, guest, action)) ?? (await decidedBefore(needs, guest, action))
  await enforceNow(needs, caller, decided)
  return { status: 200, body: { code: 200 } }
}

async function decideOnce(
  { db, clock }: Needs,
  caller: Caller,
  guest: Guest,
  action: Action,
): Promise<Guest | undefined> {
  const state = action === 'admit' ? 'admitted' : 'denied'
  const { organization, room } = guest
  return await transaction(db, async (tx) => {
    // of a lock and an admission at once one is first: the room is held, and then both look at the clock
    await keepRoom(tx, organization, room)
    const now = clock.now()
    if (action === 'admit') await requireDoorForGuests(tx, organization, { room, user: caller.user.id })
    const decision = { state, by: caller.user.id, backOffSeconds: BACK_OFF_SECONDS } as const
    const decided = await decide(tx, guest, decision, now)
    if (!decided) return undefined
    await announceDecision(tx, decided, action, now)
    await recordAudit(tx, decided.organization, caller, now, {
      action: `guest.${state}`,
      target: { kind: 'guest', id: identityOfGuest(decided.id) },
      detail: { roomId: decided.room, name: decided.name },
    })
    return decided
  })
}

/** Another member has decided before, or the guest does not wait any more. */
async function decidedBefore({ db, clock }: Needs, { organization, room, id }: Guest, action: Action) {
  const guest = await readGuest(db, organization, room, id)
  if (!guest) throw Refusal.of('guest-not-found')
  const expired = guest.expiresAt <= clock.now()
  if (guest.state === 'expired' || (guest.state === 'waiting' && expired)) throw Refusal.of('guest-expired')
  if (guest.state === STATE_OF[action]) return guest
  if (guest.state === 'left') throw Refusal.of('guest-left')
  throw Refusal.of('already-decided')
}
