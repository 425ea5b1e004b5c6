import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import { deleteBearerToken } from '../../../access/bearers/bearer-token-store.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseInternalId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Revokes a directory connection of the active organization: its next call is refused, on every node. */
export async function revokeDirectoryConnection(
  needs: Needs,
  caller: CallerOf<'revokeDirectoryConnection'>,
  input: Input<'revokeDirectoryConnection'>,
): Promise<Reply<'revokeDirectoryConnection'>> {
  const organization = caller.organization.id
  const id = parseInternalId(input.id)
  if (id === undefined) throw Refusal.of('directory-connection-not-found')
  await transaction(needs.db, async (tx) => {
    const name = await deleteBearerToken(tx, organization, 'scim', id)
    if (name === undefined) throw Refusal.of('directory-connection-not-found')
    await recordAudit(tx, organization, caller, needs.clock.now(), {
      action: 'directory-connection.revoked',
      target: { kind: 'directory-connection', id },
      detail: { name },
    })
  })
  return { status: 204 }
}
