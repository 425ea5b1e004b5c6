import type { Tx } from '../platform/database/database.ts'
import type { IdentityUserId, OrganizationId, UserId } from '../platform/ids.ts'
import { appendCommands } from '../platform/outbox.ts'
import { deactivateOrganization } from './session-store.ts'

/** Final: the client does not come back with the token it has. One with another organization asks for a new one. */
const LOST_ACCESS = { code: 4501, reason: 'organization left' } as const

/**
 * For people who have just lost an organization: their sessions no longer work in it, and their realtime
 * connections are put out when the transaction commits. Afterwards call `callers.forget`.
 */
export async function endAccess(
  tx: Tx,
  organization: OrganizationId,
  people: readonly { id: UserId; identityId: IdentityUserId }[],
): Promise<void> {
  const users = people.map(({ id }) => id)
  await deactivateOrganization(tx, organization, users)
  const commands = people.map(({ identityId }) => ({
    payload: { user: identityId, disconnect: LOST_ACCESS },
    orderingKey: identityId,
  }))
  await appendCommands(tx, 'disconnect', commands)
}
