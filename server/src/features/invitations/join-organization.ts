import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { joinBy } from './accept-invitation.ts'
import { inviteRefusal } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
}

/** Makes the caller a member by the organization's link, or by an invitation of theirs. Repeatable. */
export async function joinOrganization(
  needs: Needs,
  caller: CallerOf<'joinOrganization'>,
  input: Input<'joinOrganization'>,
): Promise<Reply<'joinOrganization'>> {
  const { organization, role } = await joinBy(
    needs,
    caller,
    input.inviteToken,
    async (_tx, joined) => joined,
    // a token that has been used is as bad here as one that never was
    (fault) => inviteRefusal(fault === 'accepted' ? 'unknown' : fault),
  )
  return {
    status: 200,
    body: { organizationId: organization.identityId, organizationName: organization.name, userRole: role },
  }
}
