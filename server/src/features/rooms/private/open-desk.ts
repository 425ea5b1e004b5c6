import { randomUUID } from 'node:crypto'
import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { holdMembership } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { type RoomId, trusted } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { announceRoom } from '../announce.ts'
import { type ListedRoom, type RoomViewNeeds, readRoomView } from '../room-view.ts'
import { findDesk, insertDesk } from './private-store.ts'

interface Needs extends RoomViewNeeds {
  clock: Clock
}

/** The desk of the caller: the one they have, or a new one. */
export async function openDesk(needs: Needs, caller: CallerOf<'openDesk'>): Promise<Reply<'openDesk'>> {
  const { organization, user } = caller
  const known = await findDesk(needs.db, organization.id, user.id)
  if (known) return { status: 200, body: { room: await read(needs, caller, known) } }
  const made = await transaction(needs.db, (tx) => make({ ...needs, db: tx }, tx, caller))
  return { status: 200, body: { room: made } }
}

/** Of two at once one makes it, and the other finds it. */
async function make(needs: Needs, tx: Tx, caller: CallerOf<'openDesk'>): Promise<ListedRoom> {
  const { organization, user } = caller
  // a desk ends with the membership of its owner
  if (!(await holdMembership(tx, organization.id, user.id))) throw Refusal.of('no-active-organization')
  const now = needs.clock.now()
  const desk = { id: trusted.roomId(randomUUID()), organization: organization.id, owner: user.id }
  if (!(await insertDesk(tx, desk, now))) {
    const known = await findDesk(tx, organization.id, user.id)
    return await read(needs, caller, known ?? desk.id)
  }
  const room = await read(needs, caller, desk.id)
  const { people: _people, agents: _agents, guests: _guests, recording: _recording, ...described } = room
  const { id: roomId, agentDispatch: _dispatch, ...shown } = described
  await announceRoom(tx, caller, { type: 'room.created', data: { roomId, ...shown } }, now)
  return room
}

function read(
  needs: RoomViewNeeds,
  { organization, user }: CallerOf<'openDesk'>,
  roomId: RoomId,
): Promise<ListedRoom> {
  return readRoomView(needs, organization.id, { roomId, viewer: user.id })
}
