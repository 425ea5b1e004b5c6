import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { requireConnections } from './rules.ts'
import { readSignOn, type SignOnViewNeeds } from './sign-on-view.ts'

interface Needs extends SignOnViewNeeds {
  identity: Pick<IdentityPort, 'connections'>
}

/** How people of the active organization sign in, what is being set up, and how the last test has ended. */
export async function getSingleSignOn(
  needs: Needs,
  caller: CallerOf<'getSingleSignOn'>,
): Promise<Reply<'getSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  return { status: 200, body: await readSignOn(needs, connections, caller.organization) }
}
