import { listAdmitters } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import { presenceOf } from '../presence/reads.ts'
import { decidersAmong } from './rules.ts'
import type { Guest } from './store.ts'

/**
 * Whether a member who may admit a guest seems to be there. A member who appears offline is read as offline, by the
 * same statements: neither the answer nor its time tells one from the other.
 */
export async function isDeciderThere(
  db: Db,
  guest: Pick<Guest, 'organization' | 'allowAll' | 'allowedAdmins' | 'invitedBy'>,
): Promise<boolean> {
  const admins = decidersAmong(await listAdmitters(db, guest.organization), guest)
  const presence = await presenceOf(
    db,
    guest.organization,
    admins.map(({ id }) => id),
  )
  return [...presence.values()].some((status) => status !== 'offline')
}
