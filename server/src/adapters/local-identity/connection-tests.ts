import type { Db } from '../../platform/database/database.ts'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { boundedFetch, type Fetch } from '../../platform/outside/outside-fetch.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { ConnectionsPort } from '../../ports/connections.ts'
import { toAssertedIdentity } from './asserted-identity.ts'
import { findDraft } from './connection-drafts.ts'
import { type Connection, findConnection, type RedirectAddress } from './connection-store.ts'
import { type IssuerSignOut, leadsBack, pageAfterSignOut, signOutAddress } from './issuer-sign-out.ts'
import type { OidcSecrets, oidcSignIn } from './oidc.ts'
import type { redirectAddresses } from './redirect-addresses.ts'

/** No browser is sent to the sign-out of an issuer that takes longer. */
const SIGN_OUT_WITHIN_MS = 4_000

export interface ConnectionTestsNeeds {
  db: Db
  connectionRing: KeyRing
  oidc: ReturnType<typeof oidcSignIn>
  addresses: ReturnType<typeof redirectAddresses>
  fetch: Fetch
  frontendUrl: string
}

type Tested = Connection & RedirectAddress & { clientSecret: string; revision: string | null }

/** The test of a connection: an administrator signs in by it, and no session comes of it. */
export function connectionTests(
  needs: ConnectionTestsNeeds,
): Pick<ConnectionsPort, 'startTest' | 'finishTest'> {
  const { oidc, addresses } = needs
  return {
    async startTest({ organization, state, redirectUri }) {
      const tested = await testedOf(needs, organization)
      if (!tested) return undefined
      const { issuer, revision } = tested
      const redirectUriAt = (answer: { namesItself: boolean }) =>
        addresses.choose(redirectUri, { issuer, address: tested }, answer)
      const started = await oidc.start(tested, { state, redirectUriAt, parameters: {} })
      return { ...started, secrets: JSON.stringify(started.secrets), revision }
    },
    async finishTest({ organization, revision, callbackUrl, state, secrets }) {
      const tested = await testedOf(needs, organization)
      if (!tested || tested.revision !== revision) return 'changed'
      if (!addresses.accept(callbackUrl, { issuer: tested.issuer, address: tested })) return 'refused'
      const kept = JSON.parse(secrets) as OidcSecrets
      const answer = { callbackUrl, state, secrets: kept, asksUserinfo: true }
      const said = await oidc.finish(tested, answer)
      if (!said) return 'refused'
      const authority = tested.trustsEmail ? 'trusted-organization' : 'organization'
      const asserted = toAssertedIdentity(said.claims, authority)
      if ('obstacle' in asserted) return asserted.obstacle
      return { ...asserted, session: await signOutThatComesBack(needs, said.signOut) }
    },
  }
}

/** What a test is of. */
async function testedOf(
  { db, connectionRing }: ConnectionTestsNeeds,
  organization: IdentityOrganizationId,
): Promise<Tested | undefined> {
  const draft = await findDraft(db, connectionRing, organization)
  if (draft) return { ...draft, sharesAddress: false }
  const connection = await findConnection(db, connectionRing, organization)
  return connection && { ...connection, revision: null }
}

/** Its address of signing out, where that leads back. */
async function signOutThatComesBack(
  needs: ConnectionTestsNeeds,
  signOut: IssuerSignOut | undefined,
): Promise<string | null> {
  if (!signOut) return null
  const returnTo = pageAfterSignOut(needs.frontendUrl)
  const address = signOutAddress(signOut, returnTo)
  const bounded = boundedFetch(needs.fetch, AbortSignal.timeout(SIGN_OUT_WITHIN_MS))
  return (await leadsBack(bounded, address, returnTo)) ? address : null
}
