import { randomUUID } from 'node:crypto'
import { KNOCK_SECONDS } from '@atrium/contract'
import type { MemberCaller } from '../../access/caller.ts'
import type { MemberRecord } from '../../directory/members/members.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type KnockWords, putKnock } from './store.ts'

/**
 * Lets a knock wait for a colleague, and tells them.
 * @returns the knock that waits: this one, or the one before it, which says then what this one does
 */
export async function sendKnock(
  tx: Tx,
  { user, organization }: MemberCaller,
  { to, said, now }: { to: MemberRecord; said: KnockWords; now: Date },
): Promise<string> {
  const made = {
    id: randomUUID(),
    organization: organization.id,
    from: user.id,
    to: to.id,
    expiresAt: secondsAfter(now, KNOCK_SECONDS),
    ...said,
  }
  const { id, isNews } = await putKnock(tx, made, now)
  if (!isNews) return id
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'knock.received',
    time: now,
    data: { knockId: id, from: user.id, ...said },
    to: { scope: 'user', users: [to.identityId] },
    orderingKey: `knock:${id}`,
  })
  return id
}
