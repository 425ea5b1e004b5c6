import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDomain, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../../tests/people.ts'

describe('claimOrganizationDomain', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('answers the record to publish, and the same one again, in ASCII and lower case', async () => {
    const founder = await newFounder(office)
    const label = freshDomain()
    const { domain } = await founder.browser.call('claimOrganizationDomain', { domain: ` BÜRO.${label} ` })
    expect(domain).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain: `xn--bro-hoa.${label}`,
      state: 'pending',
      provenByDns: false,
      lookedUpAt: null,
      record: {
        name: `_atrium.xn--bro-hoa.${label}`,
        type: 'TXT',
        value: expect.stringMatching(/^atrium-domain-verification=dns_[\w-]{43}$/),
      },
    })
    const again = await founder.browser.call('claimOrganizationDomain', { domain: domain.domain })
    expect(again.domain).toEqual(domain)
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'domain.claimed',
      actor: { kind: 'user', id: founder.id },
      target: { kind: 'domain', id: domain.domain },
    })
  })

  it.each([
    'gmail.com',
    'GMX.de',
    'co.uk',
    'github.io',
    'localhost',
    '203.0.113.7',
    'https://acme.example',
    'ada@acme.example',
    'acme..example',
  ])('refuses %s', async (domain) => {
    const founder = await newFounder(office)
    const answer = await founder.browser.request('claimOrganizationDomain', { domain })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('lets several organizations claim one domain, with records of their own, and tells neither of the other', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const domain = freshDomain()
    const [first, second] = await Promise.all(
      [one, other].map(({ browser }) => browser.call('claimOrganizationDomain', { domain })),
    )
    expect(first?.domain.record?.value).not.toBe(second?.domain.record?.value)
    const taken = freshDomain()
    await giveDomain(office, other.organizationId, taken)
    const answer = await one.browser.request('claimOrganizationDomain', { domain: taken })
    expect(answer).toMatchObject({ status: 200, body: { domain: { state: 'pending' } } })
  })

  it('is for fifty domains at most, however many come at once', async () => {
    const founder = await newFounder(office)
    const claim = (n: number) =>
      founder.browser.request('claimOrganizationDomain', { domain: `d${n}.${base}` })
    const base = freshDomain()
    for (let n = 0; n < 49; n += 1) await claim(n)
    const answers = await Promise.all([50, 51, 52].map(claim))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'too-many-domains' })
    // one that is claimed already is no further one
    expect((await claim(0)).status).toBe(200)
  })

  it.each(['guest', 'member', 'moderator'] as const)('is not for a %s', async (role) => {
    const person = await newMember(office, await newFounder(office), role)
    const answer = await person.browser.request('claimOrganizationDomain', { domain: freshDomain() })
    expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
  })
})
