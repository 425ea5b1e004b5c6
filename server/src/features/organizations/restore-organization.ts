import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { undeleteOrganization } from '../../directory/organizations.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseIdentityOrganizationId } from '../../platform/ids.ts'

/** How long a deleted organization can be brought back. */
const RECOVERABLE_SECONDS = 30 * DAY_SECONDS

/**
 * Brings a deleted organization back with all that it held; its people choose it again to work in it. For an
 * operator at the command line.
 * @returns false where none of that id was deleted within the last 30 days
 */
export async function restoreOrganization(db: Db, organizationId: string, now: Date): Promise<boolean> {
  const identityId = parseIdentityOrganizationId(organizationId)
  if (!identityId) return false
  return await transaction(db, async (tx) => {
    const deletedAfter = secondsAfter(now, -RECOVERABLE_SECONDS)
    const restored = await undeleteOrganization(tx, identityId, deletedAfter, now)
    if (!restored) return false
    await recordAudit(tx, restored.id, OPERATOR, now, {
      action: 'organization.restored',
      target: { kind: 'organization', id: identityId },
    })
    return true
  })
}
