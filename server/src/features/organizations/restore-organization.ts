import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { undeleteOrganization } from '../../directory/organizations.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseIdentityOrganizationId } from '../../platform/ids.ts'

/**
 * Brings a deleted organization back with all that it held; its people choose it again to work in it. For an
 * operator at the command line.
 * @returns false where none of that id was deleted within the last 30 days
 */
export async function restoreOrganization(db: Db, organizationId: string, now: Date): Promise<boolean> {
  const identityId = parseIdentityOrganizationId(organizationId)
  if (!identityId) return false
  return await transaction(db, async (tx) => {
    const restored = await undeleteOrganization(tx, identityId, now)
    if (!restored) return false
    await recordAudit(tx, restored.id, OPERATOR, now, {
      action: 'organization.restored',
      target: { kind: 'organization', id: identityId },
    })
    return true
  })
}
