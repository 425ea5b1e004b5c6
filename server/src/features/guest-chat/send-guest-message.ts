import type { Input, Reply } from '@atrium/contract'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { sendAsGuest } from '../chat/reads.ts'
import { requireAdmitted } from '../guests/reads.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
}

/** A guest writes in the conversation of the room that they are in. */
export async function sendGuestMessage(
  { db, clock, limits }: Needs,
  visitor: CallerOf<'sendGuestMessage'>,
  { inviteId, content, clientMessageId }: Input<'sendGuestMessage'>,
): Promise<Reply<'sendGuestMessage'>> {
  await transaction(db, async (tx) => {
    const guest = await requireAdmitted({ db: tx, clock }, visitor, inviteId)
    const most = limits.of(guest.organization, 'messages-per-conversation')
    await sendAsGuest(tx, guest, { content, clientMessageId }, most)
  })
  return { status: 204 }
}
