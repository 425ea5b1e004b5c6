import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import { deleteBearerToken } from '../../access/bearers/bearer-token-store.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Revokes a service token of the active organization: its next call is refused, on every node. */
export async function revokeServiceToken(
  needs: Needs,
  caller: CallerOf<'revokeServiceToken'>,
  input: Input<'revokeServiceToken'>,
): Promise<Reply<'revokeServiceToken'>> {
  const organization = caller.organization.id
  const id = parseInternalId(input.id)
  if (id === undefined) throw Refusal.of('token-not-found')
  await transaction(needs.db, async (tx) => {
    const name = await deleteBearerToken(tx, organization, 'service', id)
    if (name === undefined) throw Refusal.of('token-not-found')
    await recordAudit(tx, organization, caller, needs.clock.now(), {
      action: 'service-token.revoked',
      target: { kind: 'service-token', id },
      detail: { name },
    })
  })
  return { status: 204 }
}
