import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { putGuestOut, type RemoveGuestNeeds } from '../guests/reads.ts'
import { isInsideNow, keepOut, type PutOutNeeds, putOutNow } from '../rooms/reads.ts'
import { isGuestInsideNow, notInside, requireMeant, requireRank } from './meant.ts'

interface Needs extends RemoveGuestNeeds {
  media: PutOutNeeds['media'] & RemoveGuestNeeds['media']
}

/**
 * Puts a participant out of a room: a member for a minute, a guest for as long as their link lasts. What is decided
 * stands, whatever the media server answers: it is told until it has done so.
 */
export async function removeFromRoom(
  needs: Needs,
  caller: CallerOf<'removeFromRoom'>,
  input: Input<'removeFromRoom'>,
): Promise<Reply<'removeFromRoom'>> {
  const { id: organization } = caller.organization
  const { room, ...meant } = await requireMeant(needs.db, caller, input)
  if ('guest' in meant) {
    if (!(await isGuestInsideNow(needs.media, meant.guest))) throw notInside()
    await putGuestOut(needs, caller, meant.guest)
    return { status: 204 }
  }
  const { user, role } = meant
  const at = { organization, room, user }
  if (!(await isInsideNow(needs, at))) throw notInside()
  requireRank(caller, role)
  const now = needs.clock.now()
  await transaction(needs.db, async (tx) => {
    await keepOut(tx, at, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'room.person-removed',
      target: { kind: 'user', id: user },
      detail: { roomId: room },
    })
  })
  await putOutNow(needs, caller, at)
  return { status: 204 }
}
