import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { isUuid } from '../../platform/ids.ts'
import { answersDoor, letInOnce } from '../rooms/reads.ts'
import { type EndKnockNeeds, endBySide } from './end-knock.ts'
import { readDoorKnock } from './store.ts'

/** Answers a knock, in whichever tab it was seen: the first answer counts. At a door all members inside may answer. */
export async function answerKnock(
  needs: EndKnockNeeds,
  caller: CallerOf<'answerKnock'>,
  { knockId, answer }: Input<'answerKnock'>,
): Promise<Reply<'answerKnock'>> {
  const { user, organization } = caller
  const door = isUuid(knockId) ? await readDoorKnock(needs.db, organization.id, knockId) : undefined
  const isInside =
    door !== undefined &&
    door.from !== user.id &&
    (await answersDoor(
      needs.db,
      { organization: organization.id, room: door.room, user: user.id },
      needs.clock.now(),
    ))
  const side = isInside ? { door: door.room } : { to: user.id }
  await transaction(needs.db, async (tx) => {
    const isNew = await endBySide({ ...needs, db: tx }, caller, { knockId, side, outcome: answer })
    if (!isNew || !isInside || answer !== 'accept') return
    await letInOnce(
      tx,
      { organization: organization.id, room: door.room, user: door.from },
      needs.clock.now(),
    )
  })
  return { status: 204 }
}
