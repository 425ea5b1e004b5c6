import { randomUUID } from 'node:crypto'
import { type Input, KNOCK_MESSAGE_MAX, KNOCK_SECONDS, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { pushCall } from '../push/reads.ts'
import { requireRoom } from '../rooms/reads.ts'
import { isReachable, requireColleague } from './reach.ts'
import { sendKnock } from './send-knock.ts'

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
    input.roomId === undefined
      ? undefined
      : await requireRoom(needs.db, organization, input.roomId, caller.user.id)
  const now = needs.clock.now()
  if (!(await isReachable(needs.db, organization, colleague.id))) {
    const missed = { call: 'knock', from: caller.user.id, to: colleague.id } as const
    await pushCall(needs.db, organization, missed, { now, waitsSeconds: KNOCK_SECONDS })
    return { status: 200, body: { knockId: randomUUID(), state: 'not-reachable' } }
  }
  const said = { ...(room ? { roomId: room.id } : {}), ...(message === undefined ? {} : { message }) }
  const knockId = await transaction(needs.db, (tx) => sendKnock(tx, caller, { to: colleague, said, now }))
  return { status: 200, body: { knockId, state: 'waiting' } }
}
