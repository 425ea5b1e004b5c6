import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { lockOwnOrganization } from '../../access/own-organization.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { deactivateOrganization } from '../../access/sessions/session-endings.ts'
import { listMemberIds } from '../../directory/members/members.ts'
import { markOrganizationDeleted } from '../../directory/organizations.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
}

/** Takes an organization from all its members at once. Its data stay for `atrium organization restore`. */
export async function deleteOrganization(
  needs: Needs,
  caller: CallerOf<'deleteOrganization'>,
  input: Input<'deleteOrganization'>,
): Promise<Reply<'deleteOrganization'>> {
  const now = needs.clock.now()
  const deleted = await transaction(needs.db, async (tx) => {
    const own = await lockOwnOrganization(tx, caller, input.organizationId, 'EditOrganization')
    const people = await listMemberIds(tx, own.organizationId)
    await markOrganizationDeleted(tx, own.organizationId, now)
    await deactivateOrganization(
      tx,
      own.organizationId,
      people.map(({ id }) => id),
    )
    await recordAudit(tx, own.organizationId, caller, now, {
      action: 'organization.deleted',
      target: { kind: 'organization', id: own.organizationIdentityId },
    })
    return own.organizationId
  })
  needs.callers.forget(`organization:${deleted}`)
  return { status: 200, body: { code: 200, message: 'The organization is deleted' } }
}
