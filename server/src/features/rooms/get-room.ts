import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type RoomViewNeeds, readRoomView } from './room-view.ts'

/** One room of the active organization, with who is in it. */
export async function getRoom(
  needs: RoomViewNeeds,
  caller: CallerOf<'getRoom'>,
  input: Input<'getRoom'>,
): Promise<Reply<'getRoom'>> {
  const room = await readRoomView(needs, caller.organization.id, { ...input, viewer: caller.user.id })
  return { status: 200, body: { room } }
}
