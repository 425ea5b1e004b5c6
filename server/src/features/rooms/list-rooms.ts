import type { CallerOf } from '../../access/caller.ts'
import type { WrittenReply } from '../../platform/http/operations.ts'
import { type RoomViewNeeds, writeRoomViews } from './room-view.ts'

/** Every room of the active organization in its order, with who is in it. */
export async function listRooms(
  needs: RoomViewNeeds,
  caller: CallerOf<'listRooms'>,
): Promise<WrittenReply<'listRooms'>> {
  const rooms = await writeRoomViews(needs, caller.organization.id, caller.user.id)
  return { status: 200, body: Buffer.from(`{"rooms":${rooms}}`) }
}
