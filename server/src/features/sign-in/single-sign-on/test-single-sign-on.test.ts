import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  beginTest,
  connectToIssuer,
  draftAt,
  freshDomain,
  giveDomain,
  newDomainOwner,
  openOfficeWithIssuer,
  surferFor,
  tryOut,
} from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember, newPerson, signInAgain } from '../../../../tests/people.ts'
import { type HostileIssuer, openHostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

const TEN_MINUTES = 10 * 60

describe('testSingleSignOn', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterEach(() => {
    issuer.mischief = {}
  })
  afterAll(() => office.close())

  /** An administrator of a verified domain with a draft. */
  async function administrator() {
    const owner = await newDomainOwner(office)
    await owner.browser.call('saveSingleSignOn', draftAt(issuer))
    return owner
  }
  type Administrator = Awaited<ReturnType<typeof administrator>>
  const shown = ({ browser }: Administrator) => browser.call('getSingleSignOn')

  it('goes to the issuer as a sign-in does, and passes where it names a person of the domain', async () => {
    const admin = await administrator()
    const { redirectURL } = await admin.browser.call('testSingleSignOn')
    const asked = new URL(redirectURL)
    expect(asked.origin).toBe(new URL(issuer.issuer).origin)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'us',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: (await shown(admin)).draft?.redirectAddress,
      state: expect.stringMatching(/^sot_/),
      nonce: expect.any(String),
    })
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
    const { draft, lastTest } = await shown(admin)
    expect(lastTest).toEqual({
      at: expect.any(String),
      outcome: 'passed',
      domain: admin.domain,
      emailVerified: true,
      of: 'draft',
    })
    expect(draft?.testedAt).not.toBeNull()
    expect((await auditOf(admin)).at(-1)).toMatchObject({
      action: 'single-sign-on.tested',
      actor: { kind: 'user', id: admin.id },
      detail: { outcome: 'passed', of: 'draft' },
    })
  })

  it('makes no session, and makes and links no account', async () => {
    const admin = await administrator()
    const email = `ben@${admin.domain}`
    const count = async () =>
      (
        await office.database.pool.query(
          'select (select count(*) from users) as u, (select count(*) from sessions) as s, (select count(*) from linked_identities) as l',
        )
      ).rows[0]
    const before = await count()
    expect(await tryOut(office, issuer, admin, email)).toBe('passed')
    expect(await count()).toEqual(before)
    expect((await admin.browser.call('getCurrentUser')).email).toBe(admin.email)
    // and the address it came back to is no code to sign in with
    const surfer = surferFor(office, admin)
    const back = await beginTest(surfer)
    issuer.person = { sub: email, email, email_verified: true }
    const { url } = await surfer.visit(back.href)
    expect([...url.searchParams.keys()]).toEqual(['outcome'])
  })

  it.each([
    ['foreign-domain', 'ben@foreign.example', {}],
    ['email-not-verified', undefined, { email_verified: false }],
    ['email-not-verified', undefined, { email_verified: 'true' }],
    ['no-email', undefined, { email: undefined }],
    ['identity-unusable', undefined, { sub: '' }],
  ])('says %s, and does not count', async (outcome, email, claims) => {
    const admin = await administrator()
    expect(await tryOut(office, issuer, admin, email ?? `ben@${admin.domain}`, claims)).toBe(outcome)
    const { draft, lastTest } = await shown(admin)
    expect(lastTest?.outcome).toBe(outcome)
    expect(draft?.testedAt).toBeNull()
  })

  it('trusts an issuer that does not say whether addresses are verified where it is told to', async () => {
    const admin = await administrator()
    await admin.browser.call('saveSingleSignOn', { ...draftAt(issuer), trustsEmail: true })
    const claims = { email_verified: undefined }
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`, claims)).toBe('passed')
  })

  it.each([
    ['a signature by another key', { signature: 'other-key' } as const],
    ['no signature', { signature: 'none' } as const],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['another nonce', { claims: { nonce: 'of-another-sign-in' } }],
    [
      'a code that it does not know',
      { answer: { at: 'token', status: 400, body: '{"error":"invalid_grant"}' } } as const,
    ],
  ])('refuses %s', async (_, mischief) => {
    const admin = await administrator()
    issuer.mischief = mischief
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('refused')
    expect((await shown(admin)).draft?.testedAt).toBeNull()
  })

  it('tells an issuer that fails from one that refuses', async () => {
    const admin = await administrator()
    issuer.mischief = { answer: { at: 'token', status: 500, body: '{}' } }
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('issuer-unavailable')
  })

  it.each([
    ['access_denied', 'cancelled'],
    ['invalid_scope', 'refused'],
  ])('says what %s of the issuer means', async (error, outcome) => {
    const admin = await administrator()
    const surfer = surferFor(office, admin)
    const back = await beginTest(surfer)
    back.searchParams.delete('code')
    back.searchParams.set('error', error)
    expect((await surfer.visit(back.href)).url.searchParams.get('outcome')).toBe(outcome)
  })

  it('is of the browser and the session that began, once, and for ten minutes', async () => {
    const admin = await administrator()
    issuer.person = { sub: 'ben', email: `ben@${admin.domain}`, email_verified: true }
    const asked = issuer.tokensAsked
    const outcomeIn = async (surfer: ReturnType<typeof surferFor>, url: URL) =>
      (await surfer.visit(url.href)).url.searchParams.get('outcome')

    const own = surferFor(office, admin)
    const back = await beginTest(own)
    // another browser of the same person, and of a colleague who was sent the address
    expect(await outcomeIn(surferFor(office, admin), back)).toBe('expired')
    const colleague = await newMember(office, admin, 'admin')
    expect(await outcomeIn(surferFor(office, colleague), back)).toBe('expired')
    // the same browser under another session
    const names = own.cookies.get('atrium_browser') as string
    const swapped = surferFor(office, colleague)
    swapped.cookies.set('atrium_browser', names)
    expect(await outcomeIn(swapped, back)).toBe('expired')
    // another connection's address
    const other = await administrator()
    const elsewhere = new URL(back)
    elsewhere.pathname = new URL((await shown(other)).draft?.redirectAddress as string).pathname
    expect(await outcomeIn(own, elsewhere)).toBe('expired')
    expect(issuer.tokensAsked).toBe(asked)

    expect(await outcomeIn(own, back)).toBe('passed')
    expect(await outcomeIn(own, back)).toBe('expired')
    const late = await beginTest(own)
    office.clock.advance(TEN_MINUTES + 1)
    const outcome = await outcomeIn(own, late)
    office.clock.advance(-TEN_MINUTES - 1)
    expect(outcome).toBe('expired')
  })

  it('ends with the session, and with the role', async () => {
    const admin = await administrator()
    const colleague = await newMember(office, admin, 'admin')
    const surfer = surferFor(office, colleague)
    const back = await beginTest(surfer)
    await admin.browser.call('updateMember', { id: colleague.id, role: 'member' })
    expect((await surfer.visit(back.href)).url.searchParams.get('outcome')).toBe('expired')
    const own = surferFor(office, admin)
    const late = await beginTest(own)
    await own.client.call('signOut')
    expect((await own.visit(late.href)).url.searchParams.get('outcome')).toBe('expired')
  })

  it('is of the settings it was begun with', async () => {
    const admin = await administrator()
    const surfer = surferFor(office, admin)
    const back = await beginTest(surfer)
    await admin.browser.call('saveSingleSignOn', { ...draftAt(issuer), clientSecret: 'another' })
    issuer.person = { sub: 'ben', email: `ben@${admin.domain}`, email_verified: true }
    expect((await surfer.visit(back.href)).url.searchParams.get('outcome')).toBe('settings-changed')
    expect((await shown(admin)).draft?.testedAt).toBeNull()
  })

  it('is of what is in force where there is no draft', async () => {
    const founder = await newFounder(office)
    const domain = freshDomain()
    await giveDomain(office, founder.organizationId, domain)
    await connectToIssuer(office, founder.organizationId, issuer.issuer)
    expect(await tryOut(office, issuer, founder, `ben@${domain}`)).toBe('passed')
    expect((await founder.browser.call('getSingleSignOn')).lastTest).toMatchObject({ of: 'in-force' })
  })

  it('asks an administrator of the domain to come in as themself', async () => {
    const { domain, ...founder } = await administrator()
    const ada = await newMember(office, founder, 'admin', await newPerson(office, `ada@${domain}`))
    expect(await tryOut(office, issuer, ada, `ben@${domain}`)).toBe('another-person')
    expect(await tryOut(office, issuer, ada, `ada@${domain}`)).toBe('passed')
  })

  it('says that an issuer is none, and not what it has said', async () => {
    const admin = await administrator()
    const answers = [
      { at: 'metadata', status: 404, body: 'Canary of a vendor' },
      { at: 'metadata', body: '<html>Canary of a vendor</html>' },
      { at: 'metadata', body: JSON.stringify({ issuer: 'https://canary.example' }) },
    ] as const
    for (const answer of answers) {
      const away = await openHostileIssuer()
      await admin.browser.call('saveSingleSignOn', draftAt(away))
      away.mischief = { answer }
      const refused = await admin.browser.request('testSingleSignOn')
      expect(refused).toMatchObject({ status: 409, body: { error: 'issuer-unusable' } })
      expect(JSON.stringify(refused.body).toLowerCase()).not.toContain('canary')
      await away.close()
      expect(await admin.browser.request('testSingleSignOn')).toMatchObject({ status: 409 })
    }
  })

  it('has nothing to test before something is set up', async () => {
    const founder = await newFounder(office)
    expect(await founder.browser.request('testSingleSignOn')).toMatchObject({
      status: 409,
      body: { error: 'single-sign-on-not-set-up' },
    })
  })

  it('comes back to another node, after a restart', async () => {
    const admin = await administrator()
    const surfer = surferFor(office, admin)
    const back = await beginTest(surfer)
    const beside = await openTestOffice({ beside: office, settings: { BASE_URL: office.baseUrl } })
    try {
      issuer.person = { sub: 'ben', email: `ben@${admin.domain}`, email_verified: true }
      const answer = await fetch(`${beside.baseUrl}${back.pathname}${back.search}`, {
        headers: { cookie: surfer.cookies.headerFor(back) ?? '' },
        redirect: 'manual',
      })
      expect(answer.headers.get('location')).toContain('/single-sign-on/complete?outcome=passed')
    } finally {
      await beside.close()
    }
    expect((await shown(admin)).draft?.testedAt).not.toBeNull()
  })

  it('leaves the state of a real sign-in alone', async () => {
    const admin = await administrator()
    // an administrator who is signed in by a code again has no test under way
    const { browser } = await signInAgain(office, admin.email)
    expect((await browser.call('getCurrentUser')).email).toBe(admin.email)
    const { url } = await surferFor(office, admin).visit(
      `${office.baseUrl}/auth/callback/sso/none?state=sot_forged&code=x`,
    )
    expect(url.searchParams.get('outcome')).toBe('expired')
  })
})

it('asks an issuer so often in an hour, and no more', async () => {
  const office = await openTestOffice({ settings: { RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION: '1' } })
  const issuer = await openHostileIssuer()
  try {
    const founder = await newFounder(office)
    await founder.browser.call('saveSingleSignOn', draftAt(issuer))
    expect((await founder.browser.request('testSingleSignOn')).status).toBe(200)
    expect((await founder.browser.request('testSingleSignOn')).status).toBe(429)
  } finally {
    await office.close()
    await issuer.close()
  }
})
