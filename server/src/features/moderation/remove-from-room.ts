import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { MediaPort } from '../../ports/media.ts'
import { putGuestOut, type RemoveGuestNeeds } from '../guests/reads.ts'
import { keepOut } from '../rooms/reads.ts'
import { requireInside } from './inside.ts'

interface Needs extends RemoveGuestNeeds {
  media: Pick<MediaPort, 'participants' | 'remove' | 'admit'>
}

/** Puts a participant out of a room: a member for a minute, a guest for as long as their link lasts. */
export async function removeFromRoom(
  needs: Needs,
  caller: CallerOf<'removeFromRoom'>,
  input: Input<'removeFromRoom'>,
): Promise<Reply<'removeFromRoom'>> {
  const { room, user, guest, connections } = await requireInside(needs, caller, input)
  if (guest) await putGuestOut(needs, caller, guest)
  if (user === undefined) return { status: 204 }
  const { id: organization } = caller.organization
  const now = needs.clock.now()
  await transaction(needs.db, async (tx) => {
    await keepOut(tx, { organization, room, user }, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'room.person-removed',
      target: { kind: 'user', id: user },
      detail: { roomId: room },
    })
  })
  for (const { identity } of connections) await needs.media.remove(room, identity)
  return { status: 204 }
}
