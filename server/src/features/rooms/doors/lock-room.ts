import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { roleHolds } from '../../../access/permissions.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseRoomId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { holdInside } from '../../media-events/reads.ts'
import { announceRoom } from '../announce.ts'
import { requireRoom } from '../reads.ts'
import { noSuchRoom } from '../rules.ts'
import { lockRoom as holdRoomRow } from '../store.ts'
import { setLocked } from './door-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Locks the room that the caller is in, or opens it. Moderators open any room. The lock ends with the last member inside. */
export async function lockRoom(
  needs: Needs,
  caller: CallerOf<'lockRoom'>,
  { roomId, locked }: Input<'lockRoom'>,
): Promise<Reply<'lockRoom'>> {
  const { id: organization, role } = caller.organization
  const id = parseRoomId(roomId)
  await requireRoom(needs.db, organization, roomId, caller.user.id)
  await transaction(needs.db, async (tx) => {
    const room = id && (await holdRoomRow(tx, organization, id))
    if (!room) throw noSuchRoom()
    // after the wait for the room: a guest who was admitted meanwhile was admitted before
    const now = needs.clock.now()
    const mayFromOutside = !locked && roleHolds(role, 'EditRoom')
    // held: the last one who leaves at this moment opens the room after it was locked, never before
    if (!mayFromOutside && !(await holdInside(tx, organization, { room: room.id, user: caller.user.id })))
      throw Refusal.of('not-inside')
    if (!(await setLocked(tx, organization, room.id, locked ? now : null))) return
    await announceRoom(tx, caller, { type: 'room.updated', data: { roomId: room.id, locked } }, now)
  })
  return { status: 204 }
}
