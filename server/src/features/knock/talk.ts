import { randomUUID } from 'node:crypto'
import { type Input, KNOCK_SECONDS, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listUsersById } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { pushCall } from '../push/reads.ts'
import { openTemporaryRoom } from '../rooms/reads.ts'
import { isReachable, requireColleague } from './reach.ts'
import { sendKnock } from './send-knock.ts'

interface Needs {
  db: Db
  clock: Clock
}

/**
 * A place for two at once, and a knock with it. For a member who is busy, offline or appears so the steps are the same,
 * but for the knock that is not sent.
 */
export async function talk(
  needs: Needs,
  caller: CallerOf<'talk'>,
  input: Input<'talk'>,
): Promise<Reply<'talk'>> {
  const { organization, user } = caller
  const colleague = await requireColleague(needs.db, caller, input.userId)
  const reachable = await isReachable(needs.db, organization.id, colleague.id)
  const now = needs.clock.now()
  const body = await transaction(needs.db, async (tx) => {
    const people = await listUsersById(tx, [user.id, colleague.id])
    const [one, other] = [people.get(user.id), people.get(colleague.id)]
    if (!one || !other) throw new Error('a member is no user')
    const roomId = await openTemporaryRoom(tx, organization, [one, other], now)
    if (!reachable) {
      const missed = { call: 'talk', from: user.id, to: colleague.id, roomId } as const
      await pushCall(tx, organization.id, missed, { now, waitsSeconds: KNOCK_SECONDS })
      return { knockId: randomUUID(), roomId, state: 'not-reachable' as const }
    }
    const knockId = await sendKnock(tx, caller, { to: colleague, said: { roomId }, now })
    return { knockId, roomId, state: 'waiting' as const }
  })
  return { status: 200, body }
}
