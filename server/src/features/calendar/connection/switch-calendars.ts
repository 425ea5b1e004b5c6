import { OPERATOR, recordAudit } from '../../../access/audit/audit-trail.ts'
import type { OrganizationRef } from '../../../directory/organizations.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { setSwitch } from '../store.ts'

/** Switches calendars off for the people of an organization while they work in it, or on again. Connections stay. */
export async function switchCalendars(
  db: Db,
  organization: OrganizationRef,
  position: 'on' | 'off',
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    await setSwitch(tx, organization.id, position === 'on', now)
    await recordAudit(tx, organization.id, OPERATOR, now, {
      action: 'organization.calendars-switched',
      target: { kind: 'organization', id: organization.identityId },
      detail: { position },
    })
  })
}
