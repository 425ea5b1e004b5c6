import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, freshDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newPerson, type Person } from '../../../../tests/people.ts'
import { type DnsRecords, useDnsRecords } from '../../../../tests/vendors/dns-records.ts'

describe('verifyOrganizationDomain', () => {
  let office: TestOffice
  let dns: DnsRecords
  beforeAll(async () => {
    office = await openTestOffice()
    dns = useDnsRecords(office)
  })
  afterEach(() => {
    dns.answers = true
  })
  afterAll(() => office.close())

  async function claim({ browser }: Person, name = freshDomain()) {
    const { domain } = await browser.call('claimOrganizationDomain', { domain: name })
    if (!domain.record) throw new Error('a claim without a record')
    return { id: domain.id, name, record: domain.record }
  }

  const statesOf = async (name: string) =>
    (
      await office.database.pool.query(
        'select id, state, proven_by_dns, verified_at from organization_domains where domain = $1 order by id',
        [name],
      )
    ).rows

  it('verifies a domain with its record in place, writes it down, and says so again', async () => {
    const founder = await newFounder(office)
    const { id, name, record } = await claim(founder)
    dns.publish(record)
    const { domain } = await founder.browser.call('verifyOrganizationDomain', { id })
    expect(domain).toMatchObject({ id, domain: name, state: 'verified', provenByDns: true })
    expect(domain.lookedUpAt).not.toBeNull()
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'domain.verified',
      actor: { kind: 'user', id: founder.id },
      target: { kind: 'domain', id: name },
      detail: { provenBy: 'dns' },
    })
    expect((await founder.browser.call('verifyOrganizationDomain', { id })).domain.state).toBe('verified')
  })

  it('fails without the record, and may be tried again; what was verified stays so, without being proven', async () => {
    const founder = await newFounder(office)
    const { id, record } = await claim(founder)
    dns.publish({ name: record.name, value: 'atrium-domain-verification=dns_of-somebody-else' })
    const first = await founder.browser.call('verifyOrganizationDomain', { id })
    expect(first.domain).toMatchObject({ state: 'failed', provenByDns: false })
    expect(first.domain.lookedUpAt).not.toBeNull()
    expect((await auditOf(founder)).at(-1)).toMatchObject({ action: 'domain.verification-failed' })
    dns.publish(record)
    expect((await founder.browser.call('verifyOrganizationDomain', { id })).domain.state).toBe('verified')
    dns.withdraw(record.name)
    const gone = await founder.browser.call('verifyOrganizationDomain', { id })
    expect(gone.domain).toMatchObject({ state: 'verified', provenByDns: false })
  })

  it('changes nothing while the DNS does not answer', async () => {
    const founder = await newFounder(office)
    const { id } = await claim(founder)
    dns.answers = false
    const answer = await founder.browser.request('verifyOrganizationDomain', { id })
    expect(answer).toMatchObject({ status: 503, body: { error: 'dns-unavailable' } })
    const { domains } = await founder.browser.call('listOrganizationDomains')
    expect(domains).toMatchObject([{ state: 'pending', lookedUpAt: null }])
  })

  it('is for one of two organizations at once, and does not tell the other which', async () => {
    const [one, other] = [await newFounder(office, 'First Canary'), await newFounder(office, 'Second Canary')]
    const name = freshDomain()
    const claims = [await claim(one, name), await claim(other, name)]
    for (const { record } of claims) dns.publish(record)
    const answers = await Promise.all([
      one.browser.request('verifyOrganizationDomain', { id: claims[0]?.id as string }),
      other.browser.request('verifyOrganizationDomain', { id: claims[1]?.id as string }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ error: 'domain-taken' })
    for (const canary of ['Canary', one.organizationId, other.organizationId])
      expect(JSON.stringify(refused?.body)).not.toContain(canary)
    const lists = await Promise.all(
      [one, other].map(({ browser }) => browser.call('listOrganizationDomains')),
    )
    expect(lists.map(({ domains }) => domains[0]?.state).sort()).toEqual(['pending', 'verified'])
  })

  it.each([
    [
      'is deleted',
      (organizationId: string, { browser }: Person) => browser.call('deleteOrganization', { organizationId }),
    ],
    [
      'was deleted by an earlier release, which left it its domains',
      (organizationId: string) =>
        office.database.pool.query(
          'update organizations set deleted_at = now() where identity_organization_id = $1',
          [organizationId],
        ),
    ],
  ])('is free once the organization that has proven it %s', async (_, end) => {
    const [former, next] = [await newFounder(office), await newFounder(office)]
    const first = await claim(former)
    const second = await claim(next, first.name)
    for (const { record } of [first, second]) dns.publish(record)
    await former.browser.call('verifyOrganizationDomain', { id: first.id })
    const taken = { status: 409, body: { error: 'domain-taken' } }
    expect(await next.browser.request('verifyOrganizationDomain', { id: second.id })).toMatchObject(taken)
    await end(former.organizationId, former)
    const { domain } = await next.browser.call('verifyOrganizationDomain', { id: second.id })
    expect(domain).toMatchObject({ state: 'verified', provenByDns: true })
    expect(await statesOf(first.name)).toEqual([
      { id: first.id, state: 'pending', proven_by_dns: false, verified_at: null },
      { id: second.id, state: 'verified', proven_by_dns: true, verified_at: expect.any(Date) },
    ])
  })

  it('proves nothing for an organization that is deleted while the DNS is asked', async () => {
    const founder = await newFounder(office)
    const { id, name, record } = await claim(founder)
    dns.publish(record)
    const { needs } = office.office
    const ask = needs.resolveText
    needs.resolveText = async (question) => {
      await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
      return await ask(question)
    }
    try {
      const answer = await founder.browser.request('verifyOrganizationDomain', { id })
      expect(answer).toMatchObject({ status: 403, body: { error: 'no-active-organization' } })
    } finally {
      needs.resolveText = ask
    }
    expect(await statesOf(name)).toMatchObject([{ state: 'pending', proven_by_dns: false }])
  })

  it('holds after a restart', async () => {
    const founder = await newFounder(office)
    const { id, record } = await claim(founder)
    const beside = await openTestOffice({ beside: office })
    try {
      useDnsRecords(beside).publish(record)
      const browser = beside.browser()
      const answer = await fetch(`${beside.baseUrl}/api/v1/organizations/domains/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `atrium_session=${founder.cookie}` },
        body: JSON.stringify({ id }),
      })
      expect(answer.status).toBe(200)
      expect((await browser.request('listOrganizationDomains')).status).toBe(401)
    } finally {
      await beside.close()
    }
    const { domains } = await founder.browser.call('listOrganizationDomains')
    expect(domains).toMatchObject([{ state: 'verified', provenByDns: true }])
  })

  it('signs out at once whom a connection in force does not allow any more', async () => {
    const founder = await newFounder(office)
    const { id, name, record } = await claim(founder)
    const person = await newPerson(office, `ada@${name}`)
    await connectToIssuer(office, founder.organizationId, 'https://issuer.example')
    dns.publish(record)
    await founder.browser.call('verifyOrganizationDomain', { id })
    expect((await person.browser.request('getCurrentUser')).status).toBe(401)
    expect((await founder.browser.request('getCurrentUser')).status).toBe(200)
  })

  it.each(['0', '9223372036854775807', 'none', '-1'])('does not find %s', async (id) => {
    const founder = await newFounder(office)
    const answer = await founder.browser.request('verifyOrganizationDomain', { id })
    expect(answer).toMatchObject({ status: 404, body: { error: 'domain-not-found' } })
  })

  it('does not find the domain of another organization', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const { id, record } = await claim(other)
    dns.publish(record)
    const answer = await founder.browser.request('verifyOrganizationDomain', { id })
    expect(answer).toMatchObject({ status: 404, body: { error: 'domain-not-found' } })
    expect((await other.browser.call('listOrganizationDomains')).domains[0]?.state).toBe('pending')
  })
})

it('looks into the DNS so often in an hour, and no more', async () => {
  const office = await openTestOffice({ settings: { RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION: '2' } })
  try {
    useDnsRecords(office)
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const idOf = async ({ browser }: Person) =>
      (await browser.call('claimOrganizationDomain', { domain: freshDomain() })).domain.id
    const id = await idOf(founder)
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1)
      statuses.push((await founder.browser.request('verifyOrganizationDomain', { id })).status)
    expect(statuses).toEqual([200, 200, 429])
    const elsewhere = await other.browser.request('verifyOrganizationDomain', { id: await idOf(other) })
    expect(elsewhere.status).toBe(200)
  } finally {
    await office.close()
  }
})
