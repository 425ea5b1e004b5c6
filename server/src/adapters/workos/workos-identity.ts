import type { IdentityPort, SocialProvider } from '../../ports/identity.ts'
import { type CodesNeeds, workosCodes } from './codes.ts'
import { workosMemberships } from './memberships.ts'
import { workosOrganizations } from './organizations.ts'
import { PROVIDERS, workosRedirects } from './redirects.ts'
import { workosUsers } from './users.ts'

export type WorkosIdentityNeeds = CodesNeeds

/** The identity port served by WorkOS. The owners of domains are read from our own directory. */
export function workosIdentity(needs: WorkosIdentityNeeds): IdentityPort {
  const { workos, clientId } = needs
  return {
    // Which social providers are switched on is known to its dashboard only.
    waysIn: ['code', 'sso', ...(Object.keys(PROVIDERS) as SocialProvider[])],
    connections: null,
    ...workosCodes(needs),
    ...workosUsers(workos),
    ...workosOrganizations(workos),
    ...workosMemberships(workos),
    ...workosRedirects(workos, clientId),
    logoutUrl: ({ returnTo, session }) =>
      session === null ? returnTo : workos.userManagement.getLogoutUrl({ sessionId: session, returnTo }),
  }
}
