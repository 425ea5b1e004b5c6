import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { requireBot } from '../../../directory/members/require-member.ts'
import type { Clock } from '../../../platform/clock.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { Log } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isInsideNow } from '../connections.ts'
import { forgetDispatched } from '../doors/door-store.ts'
import { keepOut, type PutOutNeeds, putOutNow } from '../doors/put-out.ts'
import { requireRoom } from '../reads.ts'

interface Needs extends PutOutNeeds {
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Puts a bot out of a room for a minute. One that was asked and has not come is awaited no more. */
export async function removeAgent(
  needs: Needs,
  caller: CallerOf<'removeAgent'>,
  input: Input<'removeAgent'>,
): Promise<Reply<'removeAgent'>> {
  const { db, clock } = needs
  const { id: organization } = caller.organization
  const { id: room } = await requireRoom(db, organization, input.roomId, caller.user.id)
  const { id: bot } = await requireBot(db, organization, input.botId)
  const now = clock.now()
  const at = { organization, room, user: bot }
  const isThere = await isInsideNow(needs, at)
  await transaction(db, async (tx) => {
    const wasAwaited = await forgetDispatched(tx, at, now)
    if (!isThere && !wasAwaited)
      throw Refusal.of('not-inside', { message: 'This bot is not in the room, and not awaited' })
    await keepOut(tx, at, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'room.agent-removed',
      target: { kind: 'bot', id: bot },
      detail: { roomId: room },
    })
  })
  await putOutNow(needs, caller, at)
  return { status: 204 }
}
