import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseRoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort } from '../../ports/media.ts'
import { announceRoom } from './announce.ts'
import { requireRoom } from './reads.ts'
import { noSuchRoom } from './rules.ts'
import { lockRoom, markDeleted, type Room } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'closeRoom'>
  log: Pick<Log, 'warn'>
}

/** Deletes a room: entries end, and all inside are put out. */
export async function deleteRoom(
  needs: Needs,
  caller: CallerOf<'deleteRoom'>,
  input: Input<'deleteRoom'>,
): Promise<Reply<'deleteRoom'>> {
  await requireRoom(needs.db, caller.organization.id, input.roomId, caller.user.id)
  const room = await remove(needs, caller, input.roomId)
  try {
    await needs.media.closeRoom(room.id)
  } catch (error) {
    needs.log.warn({ err: error, requestId: caller.requestId }, 'a deleted room is closed later')
  }
  return { status: 204 }
}

function remove(needs: Needs, caller: CallerOf<'deleteRoom'>, roomId: string): Promise<Room> {
  const { id: organization } = caller.organization
  const id = parseRoomId(roomId)
  const now = needs.clock.now()
  return transaction(needs.db, async (tx) => {
    const room = id && (await lockRoom(tx, organization, id))
    if (!room) throw noSuchRoom()
    await markDeleted(tx, organization, room.id, now)
    await announceRoom(tx, caller, { type: 'room.deleted', data: { roomId: room.id } }, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'room.deleted',
      target: { kind: 'room', id: room.id },
      detail: { name: room.name },
    })
    return room
  })
}
