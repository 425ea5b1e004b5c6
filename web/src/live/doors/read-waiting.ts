import type { AtriumClient } from '@atrium/client'
import type { Realtime } from '@atrium/client/realtime'
import { type AtDoor, atDoors } from './at-doors.ts'

/** Guests who waited before this page was told of any: for those who may admit them. */
export async function readWaiting(
  client: AtriumClient,
  live: Pick<Realtime, 'organizationId'>,
): Promise<void> {
  const { organizationId } = live
  const before = atDoors.get().filter(({ isGuest }) => isGuest)
  const { guests } = await client.call('listWaitingGuests')
  if (live.organizationId !== organizationId) return
  // a guest who has come or gone meanwhile was told by an event
  for (const { id } of before) if (!guests.some((one) => one.guestIdentity === id)) atDoors.go(id)
  for (const { guestIdentity: id, roomId, guestName: name } of guests) {
    const one: AtDoor = { id, roomId, name, isGuest: true }
    if (!before.some((known) => known.id === id)) atDoors.come(one)
  }
}
