import { newIdentityId, trusted } from '../../platform/ids.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { hasConnection, listConnected } from './connection-store.ts'
import { openSignOut } from './issuer-sign-out.ts'
import { type MailedCodesNeeds, mailedCodes } from './mailed-codes.ts'
import { PROVIDERS, type RedirectsNeeds, redirects } from './redirects.ts'

export interface LocalIdentityNeeds extends MailedCodesNeeds, RedirectsNeeds {}

/** The identity port served by this office itself: e-mailed codes; ids of our own making. */
export function localIdentity(needs: LocalIdentityNeeds): IdentityPort {
  return {
    waysIn: ['code', 'sso', ...PROVIDERS.filter((way) => needs.providers[way])],
    ...mailedCodes(needs),
    ...redirects(needs),
    // It keeps no session of its own.
    async chooseOrganization() {
      return { session: null }
    },
    async createUser() {
      return trusted.identityUserId(newIdentityId('user', needs.clock.now()))
    },
    async createOrganization() {
      return trusted.identityOrganizationId(newIdentityId('org', needs.clock.now()))
    },
    // The directory is the only record of people, organizations, memberships and names here.
    changeEmail: async () => true,
    async deleteUser() {},
    async discardOrganization() {},
    async createMembership() {},
    hasSingleSignOn: (organization) => hasConnection(needs.db, organization),
    listSingleSignOn: () => listConnected(needs.db),
    async removeMembership() {},
    async renameOrganization() {},
    logoutUrl: ({ returnTo, session }) => openSignOut(needs.connectionRing, session) ?? returnTo,
  }
}
