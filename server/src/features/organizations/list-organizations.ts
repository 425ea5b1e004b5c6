import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import type { Db } from '../../platform/database/database.ts'

interface Needs {
  db: Db
}

/** The organizations the caller may work in, oldest membership first. */
export async function listOrganizations(
  needs: Needs,
  caller: CallerOf<'listOrganizations'>,
): Promise<Reply<'listOrganizations'>> {
  const memberships = await listActiveMemberships(needs.db, caller.user.id)
  return {
    status: 200,
    body: memberships.map((membership) => ({
      organizationId: membership.organizationIdentityId,
      organizationName: membership.organizationName,
      userRole: membership.role,
    })),
  }
}
