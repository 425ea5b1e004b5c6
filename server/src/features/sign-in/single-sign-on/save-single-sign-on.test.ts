import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, freshDomain, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newPerson } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'

const SECRET = 'canary-of-a-client-secret'
const acme = { issuer: 'https://login.acme.example', clientId: 'atrium', clientSecret: SECRET }

describe('saveSingleSignOn', () => {
  let office: TestOffice
  const recorded = recordedLog()
  beforeAll(async () => {
    office = await openTestOffice({ log: recorded.log })
  })
  afterAll(() => office.close())

  it('keeps a draft that opens no sign-in, seals its secret, and shows it nowhere', async () => {
    const founder = await newFounder(office)
    const domain = freshDomain()
    await giveDomain(office, founder.organizationId, domain)
    const person = await newPerson(office, `ada@${domain}`)
    const saved = await founder.browser.call('saveSingleSignOn', acme)
    expect(saved).toEqual({
      inForce: null,
      draft: {
        issuer: acme.issuer,
        clientId: acme.clientId,
        trustsEmail: false,
        redirectAddress: expect.stringMatching(/\/auth\/callback\/sso\/[0-9a-f]{32}$/),
        testedAt: null,
      },
      lastTest: null,
    })
    expect(await founder.browser.call('getSingleSignOn')).toEqual(saved)
    const { authData } = await office.browser().call('signIn', { email: person.email })
    expect(authData.authMethod).toBe('magic_auth')
    expect((await person.browser.request('getCurrentUser')).status).toBe(200)
    const { rows } = await office.database.pool.query(
      `select encode(sealed_client_secret, 'escape') as sealed from sso_drafts
        where identity_organization_id = $1`,
      [founder.organizationId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].sealed).not.toContain('canary')
    const trail = await auditOf(founder)
    expect(trail.at(-1)).toMatchObject({
      action: 'single-sign-on.saved',
      detail: { issuer: acme.issuer, clientId: acme.clientId, trustsEmail: 'false' },
    })
    expect(JSON.stringify(trail)).not.toContain(SECRET)
    expect(recorded.text()).not.toContain(SECRET)
  })

  it('keeps the redirect address at the same issuer, and has another one at the next', async () => {
    const founder = await newFounder(office)
    const addressAt = async (issuer: string) =>
      (await founder.browser.call('saveSingleSignOn', { ...acme, issuer })).draft?.redirectAddress
    const first = await addressAt(acme.issuer)
    expect(await addressAt(acme.issuer)).toBe(first)
    expect(await addressAt('https://elsewhere.example')).not.toBe(first)
  })

  it('keeps the redirect address of what is in force at the same issuer', async () => {
    const founder = await newFounder(office)
    await connectToIssuer(office, founder.organizationId, acme.issuer)
    const { inForce, draft } = await founder.browser.call('saveSingleSignOn', { ...acme, clientId: 'us' })
    expect(draft?.redirectAddress).toBe(inForce?.redirectAddress)
  })

  it('goes on with a secret that is known, but gives it to no other issuer and no other client', async () => {
    const founder = await newFounder(office)
    const { clientSecret: _, ...without } = acme
    const refused = { status: 400, body: { details: [{ field: 'clientSecret' }] } }
    expect(await founder.browser.request('saveSingleSignOn', without)).toMatchObject(refused)
    await founder.browser.call('saveSingleSignOn', acme)
    const { draft } = await founder.browser.call('saveSingleSignOn', { ...without, trustsEmail: true })
    expect(draft).toMatchObject({ trustsEmail: true, testedAt: null })
    for (const change of [{ issuer: 'https://thief.example' }, { clientId: 'other' }])
      expect(await founder.browser.request('saveSingleSignOn', { ...without, ...change })).toMatchObject(
        refused,
      )
    expect((await founder.browser.call('getSingleSignOn')).draft).toEqual(draft)
    // that of another organization is of no use
    const other = await newFounder(office)
    expect(await other.browser.request('saveSingleSignOn', without)).toMatchObject(refused)
  })

  it.each([
    'ftp://login.example',
    'javascript:alert(1)',
    'login.example',
    'https://',
    'https://user:pass@login.example',
    'https://login.example/?tenant=1',
    'https://login.example/#here',
  ])('refuses the issuer %s', async (issuer) => {
    const founder = await newFounder(office)
    const answer = await founder.browser.request('saveSingleSignOn', { ...acme, issuer })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'issuer' }] } })
    expect((await founder.browser.call('getSingleSignOn')).draft).toBeNull()
  })

  it('takes one of two drafts that come at once, whole', async () => {
    const founder = await newFounder(office)
    const drafts = ['https://one.example', 'https://two.example'].map((issuer, n) => ({
      ...acme,
      ...{ issuer, clientId: `client-${n}` },
    }))
    await Promise.all(drafts.map((draft) => founder.browser.call('saveSingleSignOn', draft)))
    const { draft } = await founder.browser.call('getSingleSignOn')
    expect(drafts).toContainEqual(
      expect.objectContaining({ issuer: draft?.issuer, clientId: draft?.clientId }),
    )
  })
})
