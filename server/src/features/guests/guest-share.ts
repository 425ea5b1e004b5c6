import type { Visitor } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Owner } from '../../platform/limits/fair-shares.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { findAdmitted, linkOf } from './held-place.ts'

/**
 * For the door, the owner of the request of a guest: with the organization that invited them, where who asks with one link
 * counts as one person, since a link makes any number of browsers, and each guest who was let in as another. Undefined where
 * neither link nor place is known: such a request is refused with hardly any work.
 */
export async function shareOfGuest(
  needs: { db: Db; clock: Clock; guestRing: KeyRing },
  visitor: Pick<Visitor, 'cookies'>,
  { inviteToken, inviteId }: Record<string, unknown>,
): Promise<Owner | undefined> {
  if (typeof inviteToken === 'string') {
    const link = await linkOf(needs.guestRing, inviteToken)
    return link && { person: `link ${link.id}`, organization: link.organization }
  }
  const guest = typeof inviteId === 'string' ? await findAdmitted(needs, visitor, inviteId) : undefined
  return guest && { person: `guest ${guest.id}`, organization: guest.organization }
}
