import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { lockOwnOrganization } from '../../access/own-organization.ts'
import { requireName } from '../../directory/display-name.ts'
import { renameOrganization } from '../../directory/organizations.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'

interface Needs {
  db: Db
  clock: Clock
}

const NAME_LENGTHS = { min: 1, max: 100 }

/** Renames one of the caller's organizations. */
export async function updateOrganization(
  needs: Needs,
  caller: CallerOf<'updateOrganization'>,
  input: Input<'updateOrganization'>,
): Promise<Reply<'updateOrganization'>> {
  const name = requireName(input.name, 'name', NAME_LENGTHS)
  const now = needs.clock.now()
  const identityId = await transaction(needs.db, async (tx) => {
    const own = await lockOwnOrganization(tx, caller, input.organizationId, 'EditOrganization')
    if (own.organizationName === name) return own.organizationIdentityId
    await renameOrganization(tx, own.organizationId, name, now)
    await recordAudit(tx, own.organizationId, caller, now, {
      action: 'organization.renamed',
      target: { kind: 'organization', id: own.organizationIdentityId },
      detail: { from: own.organizationName, to: name },
    })
    return own.organizationIdentityId
  })
  return { status: 200, body: { id: identityId, organizationName: name, domains: [] } }
}
