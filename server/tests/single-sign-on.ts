import { saveConnection } from '../src/adapters/local-identity/connection-store.ts'
import { connectionRingOf } from '../src/compose-identity.ts'
import { claimDomain, settleDomain } from '../src/directory/domains.ts'
import { findOrganization } from '../src/directory/organizations.ts'
import { trusted } from '../src/platform/ids.ts'
import type { TestOffice } from './office.ts'

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

/** Makes a domain an organization's. */
export async function giveDomain(
  office: TestOffice,
  organizationId: string,
  domain: string,
  state: 'verified' | 'pending' = 'verified',
): Promise<void> {
  const { db } = office.database
  const organization = await findOrganization(db, trusted.identityOrganizationId(organizationId))
  if (!organization) throw new Error(`there is no organization ${organizationId}`)
  const now = office.clock.now()
  await claimDomain(db, { organization: organization.id, domain, challenge: 'x' }, now)
  await settleDomain(db, { organization: organization.id, domain, state }, now)
}

/** As if the connection were from before there was a redirect address for each. */
export async function useSharedAddress(office: TestOffice, organizationId: string): Promise<void> {
  await office.database.pool.query(
    'update sso_connections set shares_address = true where identity_organization_id = $1',
    [organizationId],
  )
}
