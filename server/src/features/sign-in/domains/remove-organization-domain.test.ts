import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  freshDomain,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

describe('removeOrganizationDomain', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  it('ends what single sign-on has made for its people, who sign in by codes again', async () => {
    const founder = await newFounder(office)
    const domain = freshDomain()
    await giveDomain(office, founder.organizationId, domain)
    await connectToIssuer(office, founder.organizationId, issuer.issuer)
    const ada = await arriveAt(office, issuer, `ada@${domain}`)
    const { domains } = await founder.browser.call('listOrganizationDomains')
    const id = domains[0]?.id as string
    expect((await founder.browser.request('removeOrganizationDomain', { id })).status).toBe(204)
    expect((await ada.browser.request('getCurrentUser')).status).toBe(401)
    const { authData } = await office.browser().call('signIn', { email: ada.email })
    expect(authData.authMethod).toBe('magic_auth')
    expect((await founder.browser.call('listOrganizationDomains')).domains).toEqual([])
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'domain.removed',
      target: { kind: 'domain', id: domain },
    })
    // once
    expect(await founder.browser.request('removeOrganizationDomain', { id })).toMatchObject({
      status: 404,
      body: { error: 'domain-not-found' },
    })
  })

  it('does not find the domain of another organization, and leaves it', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    await giveDomain(office, other.organizationId, freshDomain())
    const { domains } = await other.browser.call('listOrganizationDomains')
    const id = domains[0]?.id as string
    expect((await founder.browser.request('removeOrganizationDomain', { id })).status).toBe(404)
    expect((await other.browser.call('listOrganizationDomains')).domains).toEqual(domains)
  })
})
