import type { AuditAction } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import type { Tx } from '../../platform/database/database.ts'

/** Who they are is of concern to every organization they are in. */
export async function recordInOrganizations(
  tx: Tx,
  caller: SignedInCaller,
  action: AuditAction,
  now: Date,
): Promise<void> {
  const memberships = await listActiveMemberships(tx, caller.user.id)
  // the one order in which several organizations are locked
  memberships.sort((one, other) => (BigInt(one.organizationId) < BigInt(other.organizationId) ? -1 : 1))
  for (const { organizationId } of memberships)
    await recordAudit(tx, organizationId, caller, now, {
      action,
      target: { kind: 'user', id: caller.user.id },
    })
}
