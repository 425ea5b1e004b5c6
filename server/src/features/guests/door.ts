import type { Db, Tx } from '../../platform/database/database.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { mayGuestEnter } from '../rooms/reads.ts'
import { announceLeft } from './announce.ts'
import { markKeptOut } from './state-store.ts'
import type { Guest } from './store.ts'

/**
 * Whether the door of the room keeps out a guest who was admitted: it was locked since, or is of a desk that its owner
 * has left.
 * @param appeared the connection by which they have come in, and since when
 */
export async function isKeptOut(
  db: Db,
  { id, organization, room, state, since }: Guest,
  now: Date,
  appeared?: { connection: string; at: Date },
): Promise<boolean> {
  if (state !== 'admitted') return false
  const guest = { organization, room, identity: identityOfGuest(id), admittedAt: since }
  return !(await mayGuestEnter(db, guest, now, appeared))
}

/** Ends the stay of a guest who is kept out: they ask anew. @returns the guest as they are now */
export async function endStay(tx: Tx, guest: Guest, now: Date): Promise<Guest> {
  const left = await markKeptOut(tx, guest.id, now)
  if (left) await announceLeft(tx, left, now)
  return left ?? { ...guest, state: 'left' }
}
