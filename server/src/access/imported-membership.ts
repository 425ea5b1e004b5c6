import { handOver, lockWaitingAccounts } from '../directory/imported-accounts.ts'
import { lockMembers } from '../directory/members/members.ts'
import type { Tx } from '../platform/database/database.ts'
import type { OrganizationId, UserId } from '../platform/ids.ts'
import { recordAudit } from './audit/audit-trail.ts'

/**
 * Lets the owner of a proven address into the organizations that were imported into this office with a person of that
 * address: as that person, with everything that is theirs there. Before any other way in, so that no person is there twice.
 */
export async function joinImported(
  tx: Tx,
  user: { id: UserId; email: string },
  now: Date,
  only: OrganizationId | null = null,
): Promise<void> {
  for (const waiting of await lockWaitingAccounts(tx, user, only)) {
    const { account, organization, role } = waiting
    if (!(await lockMembers(tx, organization))) continue
    await handOver(tx, waiting, user.id, now)
    const author = { user: { id: user.id }, requestId: '', address: '' }
    await recordAudit(tx, organization, author, now, {
      action: 'member.joined',
      target: { kind: 'user', id: user.id },
      detail: { role, way: 'import', before: account },
    })
  }
}
