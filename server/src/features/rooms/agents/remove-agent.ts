import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { agentNameOf } from '../../../directory/members/members.ts'
import { requireBot } from '../../../directory/members/require-member.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { MediaPort } from '../../../ports/media.ts'
import { connectionsTo } from '../connections.ts'
import { forgetDispatched } from '../doors/door-store.ts'
import { keepOut, requireRoom } from '../reads.ts'

interface Needs {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'participants' | 'remove' | 'dismissWorkers'>
}

/** Puts a bot out of a room for a minute. One that was asked and has not come is awaited no more. */
export async function removeAgent(
  { db, clock, media }: Needs,
  caller: CallerOf<'removeAgent'>,
  input: Input<'removeAgent'>,
): Promise<Reply<'removeAgent'>> {
  const { id: organization } = caller.organization
  const { id: room } = await requireRoom(db, organization, input.roomId, caller.user.id)
  const { id: bot } = await requireBot(db, organization, input.botId)
  const now = clock.now()
  const agentName = await agentNameOf(db, organization, bot)
  const connections = await connectionsTo({ db, media }, { organization, room, user: bot })
  await transaction(db, async (tx) => {
    const at = { organization, room, user: bot }
    const wasAwaited = await forgetDispatched(tx, at, now)
    if (connections.length === 0 && !wasAwaited) throw Refusal.of('not-inside')
    await keepOut(tx, at, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'room.agent-removed',
      target: { kind: 'bot', id: bot },
      detail: { roomId: room },
    })
  })
  // no other worker comes in its place
  if (agentName !== null) await media.dismissWorkers(room, agentName)
  for (const { identity } of connections) await media.remove(room, identity)
  return { status: 204 }
}
