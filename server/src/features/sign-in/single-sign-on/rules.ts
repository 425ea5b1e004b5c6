import type { SignOnTestOutcome } from '@atrium/contract'
import { domainOf } from '../../../directory/domains/domains.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { DAY_SECONDS } from '../../../platform/clock.ts'
import { mayBePublic } from '../../../platform/outside/public-fetch.ts'
import { invalidInput, Refusal } from '../../../platform/refusal.ts'
import { webAddress } from '../../../platform/text/unicode.ts'
import type { AssertedIdentity } from '../../../ports/asserted-identity.ts'
import type { ConnectionsPort } from '../../../ports/connections.ts'
import type { IdentityPort } from '../../../ports/identity.ts'

/** For so long a test that has passed counts: an issuer may be another one by tomorrow. */
export const TEST_HOLDS_SECONDS = DAY_SECONDS

/**
 * Whether an address can be that of an issuer. Who stands behind the name is judged when it is called.
 * @param httpsOnly in production
 */
export function isIssuerAddress(text: string, { httpsOnly }: { httpsOnly: boolean }): boolean {
  const url = webAddress(text)
  if (!url) return false
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && !httpsOnly)
}

/**
 * The address of an issuer, as an administrator has entered it.
 * @param publicOnly whether it has to be one that the internet reaches
 * @throws Refusal invalid, address-not-public
 */
export function requireIssuer(
  text: string,
  { httpsOnly, publicOnly }: { httpsOnly: boolean; publicOnly: boolean },
): string {
  const issuer = text.trim()
  if (!isIssuerAddress(issuer, { httpsOnly }))
    throw invalidInput([{ field: 'issuer', message: 'Enter an address such as https://login.acme.example' }])
  if (publicOnly && !mayBePublic(webAddress(issuer)?.hostname ?? ''))
    throw Refusal.of('address-not-public', { message: 'Give an issuer at a public address' })
  return issuer
}

/** @throws Refusal conflict where single sign-on is set up at the identity provider */
export function requireConnections(identity: Pick<IdentityPort, 'connections'>): ConnectionsPort {
  if (identity.connections) return identity.connections
  throw Refusal.of('single-sign-on-elsewhere')
}

/** What a test has shown. */
export interface TestVerdict {
  outcome: SignOnTestOutcome
  /** Of the address that the issuer has named. */
  domain: string | null
  emailVerified: boolean
}

/**
 * Whether a person whom an issuer names could come in by it: what a real sign-in would ask, and that the administrator
 * who tries it out is not locked out.
 * @param organization whether the organization has verified a domain; of the administrator, their own address, normalized
 */
export function judgeTest(
  identity: Pick<AssertedIdentity, 'email' | 'emailVerified'>,
  organization: { ownEmail: string; isVerified: (domain: string) => boolean },
): TestVerdict {
  const email = normalizeEmail(identity.email)
  if (email === undefined) return { outcome: 'no-email', domain: null, emailVerified: false }
  const facts = { domain: domainOf(email), emailVerified: identity.emailVerified }
  if (!organization.isVerified(facts.domain)) return { outcome: 'foreign-domain', ...facts }
  if (!identity.emailVerified) return { outcome: 'email-not-verified', ...facts }
  const isOfDomains = organization.isVerified(domainOf(organization.ownEmail))
  if (isOfDomains && email !== organization.ownEmail) return { outcome: 'another-person', ...facts }
  return { outcome: 'passed', ...facts }
}
