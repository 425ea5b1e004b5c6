import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { reaches } from '../../access/sessions/sign-on-reach.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { joinBy } from './accept-invitation.ts'
import { acceptInvite, acceptOffer, type Joined } from './reads.ts'
import { type InviteFault, inviteRefusal } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
}

/** Makes the caller a member by the organization's link, or by an invitation of theirs. By a token it is repeatable. */
export async function joinOrganization(
  needs: Needs,
  caller: CallerOf<'joinOrganization'>,
  input: Input<'joinOrganization'>,
): Promise<Reply<'joinOrganization'>> {
  const { inviteToken, organizationId } = input
  const itself = async (_tx: Tx, joined: Joined) => joined
  const { organization, role } =
    inviteToken === undefined
      ? await joinBy(
          needs,
          caller,
          async (tx, now) =>
            // a session that does not stand for the person is told of nothing that waits for them
            (await reaches(tx, caller))
              ? await acceptOffer(tx, organizationId as string, caller, now)
              : 'unknown',
          itself,
          offerRefusal,
        )
      : await joinBy(
          needs,
          caller,
          (tx, now) => acceptInvite(tx, inviteToken, caller, now),
          itself,
          tokenRefusal,
        )
  return {
    status: 200,
    body: { organizationId: organization.identityId, organizationName: organization.name, userRole: role },
  }
}

/** A token that has been used is as bad here as one that never was. */
function tokenRefusal(fault: InviteFault): Refusal {
  return inviteRefusal(fault === 'accepted' ? 'unknown' : fault)
}

/** An organization that no longer invites this address is as one that there is not. */
function offerRefusal(fault: InviteFault): Refusal {
  return fault === 'removed' || fault === 'inactive'
    ? inviteRefusal(fault)
    : Refusal.of('organization-not-found')
}
