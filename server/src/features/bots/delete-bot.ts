import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import { deleteTokensOfBot } from '../../access/bearers/bearer-token-store.ts'
import type { CallerOf } from '../../access/caller.ts'
import { lockMembers, removeMembership } from '../../directory/members/members.ts'
import { requireBot } from '../../directory/members/require-member.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Deletes a bot of the active organization. What it has written stays, under the name that its account keeps. */
export async function deleteBot(
  needs: Needs,
  caller: CallerOf<'deleteBot'>,
  input: Input<'deleteBot'>,
): Promise<Reply<'deleteBot'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const { id, displayName } = await requireBot(tx, organization, input.botId)
    await deleteTokensOfBot(tx, organization, id)
    // triggers of the table see to its connections, and to putting it out of rooms
    await removeMembership(tx, organization, id, { kind: 'removed', removedBy: 'user' }, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'bot.deleted',
      target: { kind: 'bot', id },
      detail: { name: displayName },
    })
  })
  return { status: 204 }
}
