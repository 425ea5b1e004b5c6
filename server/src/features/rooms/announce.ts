import { randomUUID } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import type { MemberCaller, TokenCaller } from '../../access/caller.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Tx } from '../../platform/database/database.ts'

type RoomEventName = 'room.created' | 'room.updated' | 'room.deleted'
type RoomEvent = { [Name in RoomEventName]: { type: Name; data: EventData<Name> } }[RoomEventName]

/** Tells the caller's organization what they did to a room, in order with who comes and goes there. */
export async function announceRoom(
  tx: Tx,
  caller: MemberCaller | TokenCaller,
  event: RoomEvent,
  now: Date,
): Promise<void> {
  await appendEvent(tx, caller.organization.identityId, {
    ...event,
    id: randomUUID(),
    time: now,
    to: { scope: 'organization' },
    orderingKey: `room:${event.data.roomId}`,
  })
}
