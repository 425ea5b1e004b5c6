import type { Db } from '../../platform/database/database.ts'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { boundedFetch, type Fetch } from '../../platform/outside/outside-fetch.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { ConnectionsPort } from '../../ports/connections.ts'
import { toAssertedIdentity } from './asserted-identity.ts'
import { findDraft, keepPassedTest, readDraft, removeDraft, saveDraft } from './connection-drafts.ts'
import {
  type Connection,
  findConnection,
  keepSignOutThere,
  newRedirectName,
  type RedirectAddress,
  readConnection,
  removeConnection,
  saveConnection,
} from './connection-store.ts'
import { type IssuerSignOut, leadsBack, pageAfterSignOut, signOutAddress } from './issuer-sign-out.ts'
import type { OidcSecrets, oidcSignIn } from './oidc.ts'
import type { redirectAddresses } from './redirect-addresses.ts'

/** No browser is sent to the sign-out of an issuer that takes longer. */
const SIGN_OUT_WITHIN_MS = 4_000

export interface OwnConnectionsNeeds {
  db: Db
  connectionRing: KeyRing
  oidc: ReturnType<typeof oidcSignIn>
  addresses: ReturnType<typeof redirectAddresses>
  fetch: Fetch
  frontendUrl: string
}

type Tested = Connection & RedirectAddress & { clientSecret: string; revision: string | null }

/** Connections that organizations set up themselves: the same that an operator makes, after a draft and a test. */
export function ownConnections(needs: OwnConnectionsNeeds): ConnectionsPort {
  const { db: database, connectionRing: ring, oidc, addresses } = needs

  /** What a test is of. */
  const testedOf = async (organization: IdentityOrganizationId): Promise<Tested | undefined> => {
    const draft = await findDraft(database, ring, organization)
    if (draft) return { ...draft, sharesAddress: false }
    const connection = await findConnection(database, ring, organization)
    return connection && { ...connection, revision: null }
  }

  const signOutThatComesBack = async (signOut: IssuerSignOut | undefined) => {
    if (!signOut) return null
    const returnTo = pageAfterSignOut(needs.frontendUrl)
    const address = signOutAddress(signOut, returnTo)
    const bounded = boundedFetch(needs.fetch, AbortSignal.timeout(SIGN_OUT_WITHIN_MS))
    return (await leadsBack(bounded, address, returnTo)) ? address : null
  }

  return {
    async find(db, organization) {
      const [inForce, draft] = [await readConnection(db, organization), await readDraft(db, organization)]
      return { inForce: inForce ?? null, draft: draft ?? null }
    },
    async saveDraft(tx, organization, { issuer, clientId, clientSecret, trustsEmail }, now) {
      const known = [
        await findDraft(tx, ring, organization).catch(unopened(clientSecret)),
        await findConnection(tx, ring, organization).catch(unopened(clientSecret)),
      ].filter((one) => one !== undefined)
      // a secret that is known goes nowhere but to the issuer that it was given for
      const same = known.find((one) => one.issuer === issuer && one.clientId === clientId)
      const secret = clientSecret ?? same?.clientSecret
      if (secret === undefined) return false
      const before = [await readConnection(tx, organization), await readDraft(tx, organization)]
      // what an issuer was told stays so, and is its own
      const redirectName = before.find((one) => one?.issuer === issuer)?.redirectName ?? newRedirectName()
      const draft = { organization, issuer, clientId, clientSecret: secret, trustsEmail, redirectName }
      await saveDraft(tx, ring, draft, now)
      return true
    },
    async keepTest(tx, organization, { revision, ...test }, now) {
      if (revision !== null) return await keepPassedTest(tx, organization, { revision, ...test }, now)
      await keepSignOutThere(tx, organization, test)
      return true
    },
    async activate(tx, organization, now) {
      const draft = await findDraft(tx, ring, organization)
      if (!draft) return false
      await saveConnection(tx, ring, { ...draft, organization }, now)
      await removeDraft(tx, organization)
      return true
    },
    async deactivate(tx, organization, now) {
      const connection = await findConnection(tx, ring, organization)
      if (!connection) return false
      await saveDraft(tx, ring, { ...connection, organization }, now)
      await removeConnection(tx, organization)
      return true
    },
    async remove(tx, organization) {
      const draft = await removeDraft(tx, organization)
      return { inForce: await removeConnection(tx, organization), draft }
    },
    async startTest({ organization, state, redirectUri }) {
      const tested = await testedOf(organization)
      if (!tested) return undefined
      const { issuer, revision } = tested
      const redirectUriAt = (answer: { namesItself: boolean }) =>
        addresses.choose(redirectUri, { issuer, address: tested }, answer)
      const started = await oidc.start(tested, { state, redirectUriAt, parameters: {} })
      return { ...started, secrets: JSON.stringify(started.secrets), revision }
    },
    async finishTest({ organization, revision, callbackUrl, state, secrets }) {
      const tested = await testedOf(organization)
      if (!tested || tested.revision !== revision) return 'changed'
      if (!addresses.accept(callbackUrl, { issuer: tested.issuer, address: tested })) return 'refused'
      const kept = JSON.parse(secrets) as OidcSecrets
      const answer = { callbackUrl, state, secrets: kept, asksUserinfo: true }
      const said = await oidc.finish(tested, answer)
      if (!said) return 'refused'
      const authority = tested.trustsEmail ? 'trusted-organization' : 'organization'
      const asserted = toAssertedIdentity(said.claims, authority)
      if ('obstacle' in asserted) return asserted.obstacle
      return { ...asserted, session: await signOutThatComesBack(said.signOut) }
    },
  }
}

/** Where a new secret is given, it does not matter that the former one cannot be opened. */
function unopened(newSecret: string | undefined): (error: unknown) => undefined {
  return (error) => {
    if (newSecret === undefined) throw error
    return undefined
  }
}
