import { randomUUID } from 'node:crypto'
import { type Input, KNOCK_MESSAGE_MAX, KNOCK_SECONDS, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import type { MemberRecord } from '../../directory/members/members.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { requireRoom } from '../rooms/reads.ts'
import { isReachable, requireColleague } from './reach.ts'
import { type KnockWords, putKnock } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const MESSAGE = { min: 1, max: KNOCK_MESSAGE_MAX, label: 'a message' }

/**
 * Asks a colleague for a moment. Who is busy, offline or appears so is not disturbed, and takes the same steps: neither
 * the answer nor its time tells one from the other.
 */
export async function knock(
  needs: Needs,
  caller: CallerOf<'knock'>,
  input: Input<'knock'>,
): Promise<Reply<'knock'>> {
  const { id: organization } = caller.organization
  const message = input.message === undefined ? undefined : requireName(input.message, 'message', MESSAGE)
  const colleague = await requireColleague(needs.db, caller, input.userId)
  const room =
    input.roomId === undefined ? undefined : await requireRoom(needs.db, organization, input.roomId)
  if (!(await isReachable(needs.db, organization, colleague.id)))
    return { status: 200, body: { knockId: randomUUID(), state: 'not-reachable' } }
  const said = { ...(room ? { roomId: room.id } : {}), ...(message === undefined ? {} : { message }) }
  const knockId = await letWait(needs, caller, colleague, said)
  return { status: 200, body: { knockId, state: 'waiting' } }
}

/** @returns the knock that waits: this one, or the one before it, which says then what this one does */
function letWait(
  needs: Needs,
  { user, organization }: CallerOf<'knock'>,
  colleague: MemberRecord,
  said: KnockWords,
): Promise<string> {
  const now = needs.clock.now()
  const made = {
    id: randomUUID(),
    organization: organization.id,
    from: user.id,
    to: colleague.id,
    expiresAt: secondsAfter(now, KNOCK_SECONDS),
    ...said,
  }
  return transaction(needs.db, async (tx) => {
    const { id, isNews } = await putKnock(tx, made, now)
    if (!isNews) return id
    await appendEvent(tx, organization.identityId, {
      id: randomUUID(),
      type: 'knock.received',
      time: now,
      data: { knockId: id, from: user.id, ...said },
      to: { scope: 'user', users: [colleague.identityId] },
      orderingKey: `knock:${id}`,
    })
    return id
  })
}
