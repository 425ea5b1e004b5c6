import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDomain, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder } from '../../../../tests/people.ts'

describe('listOrganizationDomains', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('is of the own organization, by name, with how each stands', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const base = freshDomain()
    await giveDomain(office, founder.organizationId, `b.${base}`, 'proven')
    await giveDomain(office, founder.organizationId, `c.${base}`, 'believed')
    await giveDomain(office, founder.organizationId, `a.${base}`, 'pending')
    await giveDomain(office, other.organizationId, `d.${base}`)
    const { domains } = await founder.browser.call('listOrganizationDomains')
    expect(domains).toEqual([
      expect.objectContaining({ domain: `a.${base}`, state: 'pending', provenByDns: false }),
      expect.objectContaining({ domain: `b.${base}`, state: 'verified', provenByDns: true }),
      expect.objectContaining({ domain: `c.${base}`, state: 'verified', provenByDns: false }),
    ])
    expect(domains[1]?.lookedUpAt).not.toBeNull()
  })

  it('has no record for a domain that the identity provider has verified, until it is claimed', async () => {
    const founder = await newFounder(office)
    const domain = freshDomain()
    await giveDomain(office, founder.organizationId, domain, 'believed')
    await office.database.pool.query(`update organization_domains set challenge = '' where domain = $1`, [
      domain,
    ])
    const { domains } = await founder.browser.call('listOrganizationDomains')
    expect(domains).toMatchObject([{ domain, state: 'verified', record: null }])
    // there is nothing to look for
    const id = domains[0]?.id as string
    expect(await founder.browser.call('verifyOrganizationDomain', { id })).toEqual({ domain: domains[0] })
    const claimed = await founder.browser.call('claimOrganizationDomain', { domain })
    expect(claimed.domain).toMatchObject({ id, state: 'verified', record: { name: `_atrium.${domain}` } })
  })
})
