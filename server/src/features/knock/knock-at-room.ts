import { randomUUID } from 'node:crypto'
import { type Input, KNOCK_SECONDS, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listUsersById } from '../../directory/users.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { peopleInRoom, requireRoom } from '../rooms/reads.ts'
import { putDoorKnock } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Knocks at the door of a room: all members inside hear it, of every status, and the first answer counts. */
export async function knockAtRoom(
  { db, clock }: Needs,
  { user, organization }: CallerOf<'knockAtRoom'>,
  { roomId }: Input<'knockAtRoom'>,
): Promise<Reply<'knockAtRoom'>> {
  const room = await requireRoom(db, organization.id, roomId, user.id)
  const now = clock.now()
  const made = { id: randomUUID(), organization: organization.id, from: user.id, door: room.id }
  const body = await transaction(db, async (tx) => {
    const inside = (await peopleInRoom(tx, organization.id, room.id)).filter((id) => id !== user.id)
    if (inside.length === 0) return { knockId: made.id, state: 'not-reachable' as const }
    const { id, isNews } = await putDoorKnock(
      tx,
      { ...made, expiresAt: secondsAfter(now, KNOCK_SECONDS) },
      now,
    )
    const users = [...(await listUsersById(tx, inside)).values()].map(({ identityId }) => identityId)
    if (isNews)
      await appendEvent(tx, organization.identityId, {
        id: randomUUID(),
        type: 'knock.received',
        time: now,
        data: { knockId: id, from: user.id, roomId: room.id, door: true },
        to: { scope: 'user', users },
        orderingKey: `knock:${id}`,
      })
    return { knockId: id, state: 'waiting' as const }
  })
  return { status: 200, body }
}
