import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { type BeginNeeds, beginExport } from './begin-export.ts'

/** Has an archive made of the active organization. */
export async function startOrganizationExport(
  needs: BeginNeeds,
  caller: CallerOf<'startOrganizationExport'>,
): Promise<Reply<'startOrganizationExport'>> {
  const organization = caller.organization.id
  const exportId = await beginExport(needs, caller, { organization }, (tx, id, now) =>
    recordAudit(tx, organization, caller, now, { action: 'export.started', target: { kind: 'export', id } }),
  )
  return { status: 202, body: { exportId } }
}
