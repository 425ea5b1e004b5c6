import type { Input, Reply } from '@atrium/contract'
import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { nameOrganization } from '../../../directory/organizations.ts'
import { listUsersById } from '../../../directory/users.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { heldPlace } from '../held-place.ts'
import { openInvite } from './open-invite.ts'

interface Needs {
  db: Db
  clock: Clock
  guestRing: KeyRing
  budgets: Pick<Budgets, 'drawGuest'>
}

/** What a link for guests leads to, for its holder. No member learns of the look. */
export async function previewGuestInvite(
  needs: Needs,
  visitor: CallerOf<'previewGuestInvite'>,
  { inviteToken }: Input<'previewGuestInvite'>,
): Promise<Reply<'previewGuestInvite'>> {
  const place = await heldPlace(needs, visitor, inviteToken)
  if (!place) await needs.budgets.drawGuest(visitor)
  const invite = await openInvite(needs, inviteToken, { now: needs.clock.now(), place })
  const { organization, roomName, expiresAt, createdBy } = invite
  const { name: organizationName } = await nameOrganization(needs.db, organization)
  const inviter = (await listUsersById(needs.db, [createdBy])).get(createdBy)
  return {
    status: 200,
    body: {
      organizationName,
      roomName,
      inviterName: inviter?.displayName ?? '',
      expiresAt: expiresAt.toISOString(),
    },
  }
}
