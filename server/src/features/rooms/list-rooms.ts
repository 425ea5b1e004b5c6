import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type RoomViewNeeds, roomViews } from './room-view.ts'
import { listRoomsOf } from './store.ts'

/** Every room of the active organization, by name, with who is in it. */
export async function listRooms(
  needs: RoomViewNeeds,
  caller: CallerOf<'listRooms'>,
): Promise<Reply<'listRooms'>> {
  const { id } = caller.organization
  const rooms = await roomViews(needs, id, await listRoomsOf(needs.db, id))
  return { status: 200, body: { rooms } }
}
