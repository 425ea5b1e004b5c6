import { removeConnection, saveConnection } from '../../src/adapters/local-identity/connection-store.ts'
import { connectionRingOf } from '../../src/compose/from-configuration/identity-provider.ts'
import { claimDomain, keepLookUp, settleDomain } from '../../src/directory/domains/domains.ts'
import { findOrganization } from '../../src/directory/organizations.ts'
import { newChallenge } from '../../src/features/sign-in/federated/domain-proof.ts'
import { enforceEverywhere } from '../../src/features/sign-in/federated/enforce-single-sign-on.ts'
import { trusted } from '../../src/platform/ids.ts'
import { freshEmail, openTestOffice, type TestOffice, type TestOfficeOptions } from '../office.ts'
import { newFounder, type Person } from '../people.ts'
import { type HostileIssuer, openHostileIssuer } from '../vendors/hostile-issuer.ts'
import { type Surfer, surferOf } from './surfer.ts'

/** An office, and an issuer that tests turn bad: closing the office closes both. */
export async function openOfficeWithIssuer(
  optionsFor: (issuer: HostileIssuer) => TestOfficeOptions = () => ({ atBaseUrl: true }),
): Promise<{ office: TestOffice; issuer: HostileIssuer }> {
  const issuer = await openHostileIssuer()
  const office = await openTestOffice(optionsFor(issuer))
  const close = async () => {
    await office.close()
    await issuer.close()
  }
  return { office: { ...office, close }, issuer }
}

/** Gives an organization single sign-on at an issuer, as an operator would. */
export async function connectToIssuer(
  office: TestOffice,
  organizationId: string,
  issuer: string,
): Promise<void> {
  const organization = trusted.identityOrganizationId(organizationId)
  const registration = { issuer, clientId: 'us', clientSecret: 'short', trustsEmail: false }
  const ring = connectionRingOf(office.office.config)
  await saveConnection(office.database.db, ring, { ...registration, organization }, office.clock.now())
}

/** Ends the sessions that single sign-on does not allow, everywhere. */
export async function enforceNow({ office }: TestOffice): Promise<void> {
  await enforceEverywhere(office.needs, await office.needs.identity.listSingleSignOn())
}

export async function disconnect(office: TestOffice, organizationId: string): Promise<void> {
  await removeConnection(office.database.db, trusted.identityOrganizationId(organizationId))
}

/** A domain that no other test has. */
export function freshDomain(): string {
  return `${freshEmail('d').split('@')[0]}.example`
}

/** Makes a domain an organization's: proven by DNS, believed on the operator's word, or only claimed. */
export async function giveDomain(
  office: TestOffice,
  organizationId: string,
  domain: string,
  state: 'proven' | 'believed' | 'pending' = 'proven',
): Promise<void> {
  const { db } = office.database
  const organization = await findOrganization(db, trusted.identityOrganizationId(organizationId))
  if (!organization) throw new Error(`there is no organization ${organizationId}`)
  const now = office.clock.now()
  const claim = { organization: organization.id, domain }
  await claimDomain(db, { ...claim, challenge: newChallenge() }, now)
  await settleDomain(db, { ...claim, state: state === 'pending' ? 'pending' : 'verified' }, now)
  if (state === 'proven') await keepLookUp(db, { ...claim, proven: true }, now)
}

/** A founder with an organization that has proven a domain. */
export async function newDomainOwner(office: TestOffice) {
  const founder = await newFounder(office)
  const domain = freshDomain()
  await giveDomain(office, founder.organizationId, domain)
  return { ...founder, domain }
}

/** Signs a person in by the single sign-on of their domain, at an issuer that says who they are. */
export async function arriveAt(
  office: TestOffice,
  issuer: HostileIssuer,
  email: string,
  claims: Record<string, unknown> = {},
): Promise<Omit<Person, 'cookie'> & { waiting: readonly string[] | undefined }> {
  const surfer = surferOf(office)
  const { authData } = await surfer.client.call('signIn', { email })
  if (authData.authMethod !== 'sso') throw new Error(`${email} has no single sign-on`)
  const asked = new URL(authData.redirectURL).searchParams
  const back = new URL(asked.get('redirect_uri') ?? '')
  back.search = new URLSearchParams({ code: asked.get('nonce') ?? '', state: authData.state }).toString()
  issuer.person = { sub: email, email, email_verified: true, ...claims }
  const { url } = await surfer.visit(back.href)
  const code = url.searchParams.get('code') ?? ''
  const { user, waiting } = await surfer.client.call('finalizeOauth', { code })
  return { email, id: user.id, browser: surfer.client, waiting }
}

/** As if the connection were from before there was a redirect address for each. */
export async function useSharedAddress(office: TestOffice, organizationId: string): Promise<void> {
  await office.database.pool.query(
    'update sso_connections set shares_address = true where identity_organization_id = $1',
    [organizationId],
  )
}

/** The browser of a signed-in person, which follows redirects. */
export function surferFor(office: TestOffice, { cookie }: Pick<Person, 'cookie'>): Surfer {
  const surfer = surferOf(office)
  surfer.cookies.set('atrium_session', cookie)
  return surfer
}

/** Where an issuer would send the browser back to from a test sign-in: the code says who it is. */
export async function beginTest(surfer: Surfer): Promise<URL> {
  const { redirectURL } = await surfer.client.call('testSingleSignOn')
  const asked = new URL(redirectURL).searchParams
  const back = new URL(asked.get('redirect_uri') ?? '')
  const answer = { code: asked.get('nonce') ?? '', state: asked.get('state') ?? '' }
  back.search = new URLSearchParams(answer).toString()
  return back
}

/** A whole test sign-in, at an issuer that says who it is. @returns how it has ended */
export async function tryOut(
  office: TestOffice,
  issuer: HostileIssuer,
  person: Pick<Person, 'cookie'>,
  email: string,
  claims: Record<string, unknown> = {},
): Promise<string | null> {
  const surfer = surferFor(office, person)
  const back = await beginTest(surfer)
  issuer.person = { sub: email, email, email_verified: true, ...claims }
  return (await surfer.visit(back.href)).url.searchParams.get('outcome')
}

/** A draft at an issuer. */
export function draftAt(issuer: { issuer: string }) {
  return { issuer: issuer.issuer, clientId: 'us', clientSecret: 'canary-of-a-client-secret' }
}
