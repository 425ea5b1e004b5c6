import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { nameOrganization } from '../../../directory/organizations.ts'
import { listUsersById } from '../../../directory/users.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { openInvite } from './open-invite.ts'

interface Needs {
  db: Db
  clock: Clock
  guestRing: KeyRing
}

/** What a link for guests leads to, for whoever holds it. Nobody learns of it. */
export async function previewGuestInvite(
  needs: Needs,
  _visitor: CallerOf<'previewGuestInvite'>,
  { inviteToken }: Input<'previewGuestInvite'>,
): Promise<Reply<'previewGuestInvite'>> {
  const invite = await openInvite(needs, inviteToken, needs.clock.now())
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
