import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDomain, giveDomain, newDomainOwner } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'
import { type DnsRecords, useDnsRecords } from '../../../../tests/vendors/dns-records.ts'
import { undeleteOrganization } from '../../../directory/organizations.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { trusted } from '../../../platform/ids.ts'
import { proveAgain } from './prove-again.ts'

describe('proveAgain', () => {
  let office: TestOffice
  let dns: DnsRecords
  beforeAll(async () => {
    office = await openTestOffice()
    dns = useDnsRecords(office)
  })
  afterAll(() => office.close())

  async function comeBack(organizationId: string) {
    const { db, resolveText } = office.office.needs
    const id = trusted.identityOrganizationId(organizationId)
    const restored = await transaction(db, (tx) => undeleteOrganization(tx, id, office.clock.now()))
    if (!restored) throw new Error('it was not restored')
    return await proveAgain({ db, clock: office.clock, resolveText }, restored.id)
  }

  it('verifies those with a record that is there still, and no others', async () => {
    const { browser, email, organizationId, domain } = await newDomainOwner(office)
    const gone = freshDomain()
    const theirs = freshDomain()
    for (const name of [gone, theirs]) await giveDomain(office, organizationId, name)
    const { domains } = await browser.call('listOrganizationDomains')
    for (const { domain: name, record } of domains) if (name !== gone && record) dns.publish(record)
    await browser.call('deleteOrganization', { organizationId })
    await giveDomain(office, (await newFounder(office)).organizationId, theirs)
    const outcomes = await comeBack(organizationId)
    expect(new Map(outcomes.map((one) => [one.domain, one.outcome]))).toEqual(
      new Map([
        [domain, 'verified'],
        [gone, 'pending'],
        [theirs, 'taken'],
      ]),
    )
    await browser.call('switchOrganization', { email, organizationId })
    const after = (await browser.call('listOrganizationDomains')).domains
    const standing = after.map(({ domain: name, state, provenByDns }) => [name, { state, provenByDns }])
    expect(Object.fromEntries(standing)).toEqual({
      [domain]: { state: 'verified', provenByDns: true },
      [gone]: { state: 'pending', provenByDns: false },
      [theirs]: { state: 'pending', provenByDns: false },
    })
    const written = (await auditOf({ browser })).filter(({ action }) => action === 'domain.verified')
    expect(written).toMatchObject([
      { actor: { kind: 'operator' }, target: { id: domain }, detail: { provenBy: 'dns' } },
    ])
  })

  it('leaves them claims while the DNS does not answer', async () => {
    const { browser, organizationId, domain } = await newDomainOwner(office)
    await browser.call('deleteOrganization', { organizationId })
    dns.answers = false
    try {
      expect(await comeBack(organizationId)).toEqual([{ domain, outcome: 'pending' }])
    } finally {
      dns.answers = true
    }
  })
})
