import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { claimsToBeGuest, parseGuestIdentity, type RoomId } from '../../platform/ids.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'
import { endStay, isKeptOut } from './door.ts'
import { type EnforceNeeds, enforce } from './enforce.ts'
import { ABSENT_AFTER_DISCONNECT_SECONDS, type GuestState, SEEN_FOR_SECONDS } from './rules.ts'
import { noteConnection, noteDisconnection, settleEnforcement } from './state-store.ts'
import type { Guest } from './store.ts'

export interface ConnectionNeeds extends EnforceNeeds {
  db: Db
  clock: Clock
}

export interface Connection {
  room: RoomId
  identity: ParticipantIdentity
  /** The media server's id of this connection. */
  connection: string
}

/**
 * A participant has appeared in a room. To a guest, the stored decision is applied again, for every token: the admitted
 * are given their rights unless the door keeps them out by now, those who are out are put out again, those who wait stay as they are: the members who may
 * admit them have heard of them before. Participants who are not guests are ignored. May be repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function guestConnected(
  needs: ConnectionNeeds,
  appeared: Connection & { at: Date },
): Promise<void> {
  const { db, clock, media } = needs
  if (!claimsToBeGuest(appeared.identity)) return
  const id = parseGuestIdentity(appeared.identity)
  const now = clock.now()
  const absentAt = secondsAfter(now, SEEN_FOR_SECONDS)
  const seen = id && { room: appeared.room, id, connection: appeared.connection, absentAt }
  const guest = seen && (await noteConnection(db, seen, now))
  if (!guest) {
    // a second connection under an appended name, or a guest long forgotten
    await media.remove(appeared.room, appeared.identity)
    return
  }
  const state = stateAt(guest, now)
  if (state === 'waiting') return
  if (state === 'admitted' && (await isKeptOut(db, guest, now, appeared))) {
    await enforce(media, await transaction(db, (tx) => endStay(tx, guest, now)))
    return
  }
  await enforce(media, { ...guest, state })
  await settleEnforcement(db, guest)
}

function stateAt(guest: Guest, now: Date): GuestState {
  return guest.expiresAt <= now && guest.state !== 'denied' ? 'expired' : guest.state
}

/** A connection has ended. A guest who does not come back soon has left; a reload is not leaving. May be repeated. */
export async function guestDisconnected(
  { db, clock }: Pick<ConnectionNeeds, 'db' | 'clock'>,
  gone: Connection,
): Promise<void> {
  const id = parseGuestIdentity(gone.identity)
  if (!id) return
  const absentAt = secondsAfter(clock.now(), ABSENT_AFTER_DISCONNECT_SECONDS)
  await noteDisconnection(db, { room: gone.room, id, connection: gone.connection, absentAt })
}
