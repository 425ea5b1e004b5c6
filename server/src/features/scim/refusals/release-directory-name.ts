import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { lockUser } from '../../../directory/users.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { domainStanding, moveAccount } from '../resources/accounts.ts'
import { lockHeld } from '../resources/held.ts'
import { type DirectoryPerson, deleteView, isElsewhere } from '../resources/user-store.ts'

interface Needs {
  db: Db
  clock: Clock
  changesAddresses: boolean
}

/**
 * Frees the name and the address of a user whom the directory holds inactive for a new user, who gets nothing that was
 * theirs: the account stays, without a way to sign in.
 */
export async function releaseDirectoryName(
  needs: Needs,
  caller: CallerOf<'releaseDirectoryName'>,
  input: Input<'releaseDirectoryName'>,
): Promise<Reply<'releaseDirectoryName'>> {
  const organization = caller.organization.id
  const now = needs.clock.now()
  await transaction(needs.db, async (tx) => {
    const person = await lockHeld(tx, organization, input.id)
    const isReleased = await releaseAddress(tx, needs, { organization, person }, now)
    await deleteView(tx, organization, person.id)
    await recordAudit(tx, organization, caller, now, {
      action: 'directory-user.name-released',
      target: { kind: 'user', id: person.id },
      detail: { account: isReleased ? 'email' : '' },
    })
  })
  return { status: 204 }
}

/**
 * An account of a domain that is not the organization's keeps its address: its directory makes no user of it.
 * @returns whether the account had an address to release
 */
async function releaseAddress(
  tx: Tx,
  { changesAddresses }: Pick<Needs, 'changesAddresses'>,
  { organization, person }: { organization: OrganizationId; person: DirectoryPerson },
  now: Date,
): Promise<boolean> {
  await lockUser(tx, person.id)
  const domain = await domainStanding(tx, organization, person.email)
  if (domain === 'foreign') return false
  const mayRelease =
    changesAddresses && domain === 'own-by-dns' && !(await isElsewhere(tx, organization, person.id))
  if (!mayRelease) throw Refusal.of('directory-address-stays')
  await moveAccount(tx, person, `released-${person.id}@released.invalid`, now)
  return true
}
