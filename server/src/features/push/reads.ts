import { sql } from 'kysely'
import { enqueue } from '../../platform/background/work-items.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, RoomId, UserId } from '../../platform/ids.ts'
import { PUSH_QUEUE } from './rules.ts'

/**
 * Has the browsers of a person tell of a call that does not reach them in the office. Whether they are told at all is
 * found out when it is sent: here it takes the same steps for everyone who cannot be reached.
 */
export async function pushCall(
  db: Db,
  organization: OrganizationId,
  {
    call,
    from,
    to,
    roomId,
  }: { call: 'knock' | 'talk'; from: UserId; to: UserId; roomId?: RoomId | undefined },
  { now, waitsSeconds }: { now: Date; waitsSeconds: number },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from push_subscriptions where user_id = ${to} order by id`.execute(db)
  const items = rows.map(({ id }) => ({
    queue: PUSH_QUEUE,
    organization,
    key: `call ${organization} ${from} ${id}`,
    payload: { subscription: id, person: to, call, from, ...(roomId === undefined ? {} : { roomId }) },
    now,
    expiresAt: secondsAfter(now, waitsSeconds),
  }))
  await enqueue(db, ...items)
}
