import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type RoomViewNeeds, readRoomViews } from './room-view.ts'

/** Every room of the active organization, by name, with who is in it. */
export async function listRooms(
  needs: RoomViewNeeds,
  caller: CallerOf<'listRooms'>,
): Promise<Reply<'listRooms'>> {
  const rooms = await readRoomViews(needs, caller.organization.id)
  return { status: 200, body: { rooms } }
}
