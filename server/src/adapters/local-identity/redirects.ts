import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { IdentityPort, RedirectWay, SocialProvider } from '../../ports/identity.ts'
import { type Authority, toAssertedIdentity } from './asserted-identity.ts'
import { findConnection, type RedirectAddress } from './connection-store.ts'
import { type IssuerSignOut, pageAfterSignOut, sealSignOut, signOutAddress } from './issuer-sign-out.ts'
import { type OidcRegistration, type OidcSecrets, oidcSignIn } from './oidc.ts'
import { ownConnections } from './own-connections.ts'
import { redirectAddresses } from './redirect-addresses.ts'

export interface RedirectsNeeds {
  db: Db
  log: Pick<Log, 'warn'>
  frontendUrl: string
  /** Our registrations at the social providers; without one, that way in does not exist. */
  providers: Partial<Record<SocialProvider, OidcRegistration>>
  /** Opens the client secrets of single sign-on. */
  connectionRing: KeyRing
  fetch: Fetch
  /** Issuers without https: development and tests only. */
  allowsHttp: boolean
}
/** Which vendor stands behind which letter. */
const AUTHORITIES = { 'provider-a': 'google', 'provider-b': 'microsoft' } as const satisfies Record<
  SocialProvider,
  string
>
export const PROVIDERS = Object.keys(AUTHORITIES) as SocialProvider[]

type Registration = OidcRegistration & {
  authority: Authority
  address?: RedirectAddress
  endsSessions?: boolean
}

type RedirectPart = Pick<IdentityPort, 'connections' | 'startRedirect' | 'finishRedirect'>

/** Sign-in at social providers, and at the connections of organizations. */
export function redirects(needs: RedirectsNeeds): RedirectPart {
  const oidc = oidcSignIn(needs)
  const addresses = redirectAddresses(needs.log)
  const signOutOf = (signOut: IssuerSignOut) =>
    sealSignOut(needs.connectionRing, signOutAddress(signOut, pageAfterSignOut(needs.frontendUrl)))
  return {
    connections: ownConnections({ ...needs, oidc, addresses }),
    async startRedirect({ way, state, redirectUri, loginHint }) {
      const registration = await registrationOf(needs, way)
      if (!registration) return undefined
      const parameters = loginHint === undefined ? {} : { login_hint: loginHint }
      const redirectUriAt = (issuer: { namesItself: boolean }) =>
        addresses.choose(redirectUri, registration, issuer)
      const started = await oidc.start(registration, { state, redirectUriAt, parameters })
      return { ...started, secrets: JSON.stringify(started.secrets) }
    },
    async finishRedirect({ way, callbackUrl, state, secrets }) {
      const registration = await registrationOf(needs, way)
      if (!registration || !addresses.accept(callbackUrl, registration)) return undefined
      const kept = JSON.parse(secrets) as OidcSecrets
      // what a social provider lacks, a mailed code proves
      const asksUserinfo = way.kind === 'sso'
      const answer = await oidc.finish(registration, { callbackUrl, state, secrets: kept, asksUserinfo })
      if (!answer) return undefined
      const asserted = toAssertedIdentity(answer.claims, registration.authority)
      if ('obstacle' in asserted || !registration.endsSessions || !answer.signOut) return asserted
      return { ...asserted, session: signOutOf(answer.signOut) }
    },
  }
}

async function registrationOf(needs: RedirectsNeeds, way: RedirectWay): Promise<Registration | undefined> {
  if (way.kind === 'sso') {
    const connection = await findConnection(needs.db, needs.connectionRing, way.organization)
    const authority = connection?.trustsEmail ? 'trusted-organization' : 'organization'
    return connection && { ...connection, authority, address: connection }
  }
  const registration = needs.providers[way.kind]
  return registration && { ...registration, authority: AUTHORITIES[way.kind] }
}
