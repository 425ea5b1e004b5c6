import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { roleAdmits } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { listInvites } from './invite-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const LIMIT = 500

/** The links for guests that work: one's own, or all of the organization for members who may admit guests. */
export async function listGuestInvites(
  { db, clock }: Needs,
  { organization, user }: CallerOf<'listGuestInvites'>,
): Promise<Reply<'listGuestInvites'>> {
  const of = (await roleAdmits(db, organization.id, organization.role)) ? undefined : user.id
  const invites = await listInvites(db, organization.id, { of, now: clock.now(), limit: LIMIT })
  return {
    status: 200,
    body: {
      invites: invites.map(({ id, room, createdBy, createdAt, expiresAt, allowAll, allowedAdmins }) => ({
        inviteId: id,
        roomId: room,
        createdBy,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        allowAll,
        allowedAdmins: [...allowedAdmins],
      })),
    },
  }
}
