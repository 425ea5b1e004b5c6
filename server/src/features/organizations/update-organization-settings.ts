import { isDeepStrictEqual } from 'node:util'
import type { Input, OrganizationSettings, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { lockSettings, saveSettings } from '../../directory/settings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Decides what holds in the active organization. Where nothing is different, nothing is written down. */
export async function updateOrganizationSettings(
  { db, clock }: Needs,
  caller: CallerOf<'updateOrganizationSettings'>,
  input: Input<'updateOrganizationSettings'>,
): Promise<Reply<'updateOrganizationSettings'>> {
  const { id: organization, identityId } = caller.organization
  const now = clock.now()
  const body = await transaction(db, async (tx) => {
    const before = await lockSettings(tx, organization)
    const after: OrganizationSettings = {
      guestAdmission: input.guestAdmission ?? before.guestAdmission,
      agents: input.agents ?? before.agents,
      language: input.language ?? before.language,
    }
    if (isDeepStrictEqual(before, after)) return before
    await saveSettings(tx, organization, after, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'organization.settings-changed',
      target: { kind: 'organization', id: identityId },
      detail: { ...after, agents: after.agents ? 'on' : 'off' },
    })
    return after
  })
  return { status: 200, body }
}
