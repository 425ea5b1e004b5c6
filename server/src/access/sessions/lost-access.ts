import type { Tx } from '../../platform/database/database.ts'
import type { IdentityUserId, OrganizationId, UserId } from '../../platform/ids.ts'
import { deactivateOrganization } from './session-endings.ts'

/**
 * For people who have just lost an organization: their sessions no longer work in it. What was minted for it
 * (realtime connections, tokens) ends by itself, see `ended-access.ts`. Afterwards call `callers.forget`.
 */
export async function endAccess(
  tx: Tx,
  organization: OrganizationId,
  people: readonly { id: UserId; identityId: IdentityUserId }[],
): Promise<void> {
  await deactivateOrganization(
    tx,
    organization,
    people.map(({ id }) => id),
  )
}
