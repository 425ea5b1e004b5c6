import type { Input, Reply } from '@atrium/contract'
import { recordAudits } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lockHeld } from '../resources/held.ts'
import { activate } from '../resources/membership.ts'
import { reviveView } from '../resources/user-store.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
}

/** Makes a user a member again whom the directory holds inactive, with the role they had. */
export async function restoreDirectoryUser(
  needs: Needs,
  caller: CallerOf<'restoreDirectoryUser'>,
  input: Input<'restoreDirectoryUser'>,
): Promise<Reply<'restoreDirectoryUser'>> {
  const organization = caller.organization.id
  const now = needs.clock.now()
  const { id, joined } = await transaction(needs.db, async (tx) => {
    const person = await lockHeld(tx, organization, input.id)
    const joined = await activate(tx, organization, { person, author: caller }, now)
    if (joined !== 'kept-out') await reviveView(tx, organization, person.id)
    // the attempt stays written down
    if (joined !== 'kept-out') await recordAudits(tx, organization, caller, now, joined)
    return { id: person.id, joined }
  })
  if (joined === 'kept-out') throw Refusal.of('directory-user-kept-out')
  needs.callers.forget(id)
  return { status: 204 }
}
