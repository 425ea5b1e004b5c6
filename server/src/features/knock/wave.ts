import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { isReachable, requireColleague } from './reach.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Says hello to a colleague. Who is busy, offline or appears so is not disturbed, and the answer does not tell. */
export async function wave(
  needs: Needs,
  caller: CallerOf<'wave'>,
  input: Input<'wave'>,
): Promise<Reply<'wave'>> {
  const { organization, user } = caller
  const colleague = await requireColleague(needs.db, caller, input.userId)
  if (!(await isReachable(needs.db, organization.id, colleague.id))) return { status: 204 }
  await transaction(needs.db, (tx) =>
    appendEvent(tx, organization.identityId, {
      id: randomUUID(),
      type: 'wave.received',
      time: needs.clock.now(),
      data: { from: user.id },
      to: { scope: 'user', users: [colleague.identityId] },
      orderingKey: `wave:${user.id}:${colleague.id}`,
    }),
  )
  return { status: 204 }
}
