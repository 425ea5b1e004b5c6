import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { roleHolds } from '../../../access/permissions.ts'
import { requireBot } from '../../../directory/members/require-member.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { MediaPort } from '../../../ports/media.ts'
import { isInside } from '../../media-events/reads.ts'
import { requireRoom } from '../reads.ts'
import { requireAgents } from './agent-entry.ts'
import { dispatch } from './dispatch.ts'
import { askForWorker, workerToAsk } from './workers.ts'

interface Needs {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'openRoom' | 'askWorker'>
}

/** Asks a bot into the room that the caller is in. Asked again, it is told again once it is no longer awaited. */
export async function dispatchAgent(
  { db, clock, media }: Needs,
  caller: CallerOf<'dispatchAgent'>,
  input: Input<'dispatchAgent'>,
): Promise<Reply<'dispatchAgent'>> {
  const { user, organization } = caller
  const room = await requireRoom(db, organization.id, input.roomId, user.id)
  const bot = await requireBot(db, organization.id, input.botId)
  const mayFromOutside = roleHolds(organization.role, 'EditRoom')
  if (!mayFromOutside && !(await isInside(db, organization.id, { room: room.id, user: user.id })))
    throw Refusal.of('not-inside')
  await requireAgents(db, organization.id, room)
  const worker = await workerToAsk(db, { organization: organization.id, room: room.id, bot: bot.id })
  await transaction(db, (tx) =>
    dispatch(tx, { organization, room: room.id }, { bot, by: user.id }, clock.now()),
  )
  if (worker) await askForWorker(media, room.id, worker)
  return { status: 204 }
}
