import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { listAdmins } from '../../directory/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { identityOfGuest, parseGuestIdentity } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { requireRoom } from '../rooms/reads.ts'
import { announceDecision } from './announce.ts'
import { type EnforceNeeds, enforce } from './enforce.ts'
import { BACK_OFF_SECONDS, decidersAmong, STATE_OF } from './rules.ts'
import { decide, settleEnforcement } from './state-store.ts'
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
  const guest = await requireGuest(needs.db, caller, input)
  await requireDecider(needs.db, caller, guest)
  const decided =
    (await decideOnce(needs, caller, guest, action)) ?? (await decidedBefore(needs, guest, action))
  try {
    await enforce(needs.media, decided)
    await settleEnforcement(needs.db, decided)
  } catch (error) {
    needs.log.warn({ err: error, requestId: caller.requestId }, 'a decision on a guest is carried out later')
  }
  return { status: 200, body: { code: 200 } }
}

async function requireGuest(db: Db, caller: Caller, input: Input<'admitGuest'>): Promise<Guest> {
  const organization = caller.organization.id
  const room = await requireRoom(db, organization, input.roomId)
  const id = parseGuestIdentity(input.guestIdentity)
  const guest = id && (await readGuest(db, organization, room.id, id))
  if (guest) return guest
  throw new Refusal('not-found', 'There is no such guest', { error: 'guest-not-found' })
}

async function requireDecider(db: Db, caller: Caller, guest: Guest): Promise<void> {
  const deciders = decidersAmong(await listAdmins(db, guest.organization), guest)
  if (deciders.some(({ id }) => id === caller.user.id)) return
  throw new Refusal('forbidden', 'Only the people named in this invite may decide on its guests', {
    error: 'not-allowed-to-admit',
  })
}

async function decideOnce(
  { db, clock }: Needs,
  caller: Caller,
  guest: Guest,
  action: Action,
): Promise<Guest | undefined> {
  const now = clock.now()
  const state = action === 'admit' ? 'admitted' : 'denied'
  return await transaction(db, async (tx) => {
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

/** Somebody else was first, or the guest does not wait any more. */
async function decidedBefore({ db, clock }: Needs, { organization, room, id }: Guest, action: Action) {
  const guest = await readGuest(db, organization, room, id)
  if (!guest) throw new Refusal('not-found', 'There is no such guest', { error: 'guest-not-found' })
  const expired = guest.expiresAt <= clock.now()
  if (guest.state === 'expired' || (guest.state === 'waiting' && expired)) {
    throw new Refusal('gone', 'The invite of this guest has expired', { error: 'guest-expired' })
  }
  if (guest.state === STATE_OF[action]) return guest
  if (guest.state === 'left') {
    throw new Refusal('conflict', 'The guest has left', { error: 'guest-left' })
  }
  throw new Refusal('conflict', 'Somebody has already decided otherwise', { error: 'already-decided' })
}
