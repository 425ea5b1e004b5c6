import { createHash, randomBytes } from 'node:crypto'
import type { WorkOS } from '@workos-inc/node'
import type { AssertedIdentity } from '../../ports/asserted-identity.ts'
import type { IdentityPort, RedirectWay, SocialProvider } from '../../ports/identity.ts'
import { type Authenticated, authenticated } from './authentication.ts'
import { listConnected } from './connections.ts'
import { ask } from './failures.ts'

type RedirectPart = Pick<
  IdentityPort,
  'startRedirect' | 'finishRedirect' | 'hasSingleSignOn' | 'listSingleSignOn'
>

/** Subjects are its user ids, for every way in: it links them itself. */
const ISSUER = 'https://api.workos.com'
export const PROVIDERS = {
  'provider-a': 'GoogleOAuth',
  'provider-b': 'MicrosoftOAuth',
} as const satisfies Record<SocialProvider, string>
const CONNECTIONS_FRESH_MS = 60_000

/** Sign-in at social providers and by single sign-on, through WorkOS. */
export function workosRedirects(workos: WorkOS, clientId: string): RedirectPart {
  const users = workos.userManagement
  const knownConnections = new Map<string, { active: boolean; until: number }>()
  return {
    async startRedirect({ way, state, redirectUri, loginHint }) {
      const codeVerifier = randomBytes(32).toString('base64url')
      const redirectURL = users.getAuthorizationUrl({
        clientId,
        ...selectorOf(way),
        redirectUri,
        state,
        codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        codeChallengeMethod: 'S256',
        ...(loginHint === undefined ? {} : { loginHint }),
      })
      // Its connections are behind one issuer: codes of others do not come back here.
      return { redirectURL, redirectUri, secrets: JSON.stringify({ codeVerifier }) }
    },
    async finishRedirect({ way, callbackUrl, state, secrets }) {
      const code = callbackUrl.searchParams.get('code')
      if (!code || callbackUrl.searchParams.get('state') !== state) return undefined
      const { codeVerifier } = JSON.parse(secrets) as { codeVerifier: string }
      const proven = await authenticated('authenticateWithCode', () =>
        users.authenticateWithCode({ clientId, code, codeVerifier }),
      )
      if (!proven || 'obstacle' in proven) return proven
      // Its connections belong to organizations: who comes by one must come into the one that was asked for.
      if (way.kind === 'sso' && proven.organization !== way.organization) return undefined
      return toAssertedIdentity(proven)
    },
    async hasSingleSignOn(organization) {
      const known = knownConnections.get(organization)
      if (known && known.until > Date.now()) return known.active
      const found = await ask('listConnections', () =>
        workos.sso.listConnections({ organizationId: organization, limit: 100 }),
      )
      const active = found.data.some((connection) => connection.state === 'active')
      knownConnections.set(organization, { active, until: Date.now() + CONNECTIONS_FRESH_MS })
      return active
    },
    listSingleSignOn: () => listConnected(workos),
  }
}

function selectorOf(way: RedirectWay): { organizationId: string } | { provider: string } {
  return way.kind === 'sso' ? { organizationId: way.organization } : { provider: PROVIDERS[way.kind] }
}

function toAssertedIdentity(proven: Authenticated): AssertedIdentity {
  const { userId, email, emailVerified, firstName, lastName, session, choice } = proven
  const authoritative = { emailVerified, emailAuthoritative: true }
  return { issuer: ISSUER, subject: userId, email, ...authoritative, firstName, lastName, session, choice }
}
