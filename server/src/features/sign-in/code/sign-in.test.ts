import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, linkTokenOf, mailsTo, newFounder, newPerson } from '../../../../tests/people.ts'
import { type HostileIssuer, openHostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

describe('signIn', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mails a code to an account and answers magic_auth with no other field', async () => {
    const { email } = await newPerson(office)
    const answer = await office.browser().request('signIn', { email })
    expect(answer).toMatchObject({ status: 200, body: { authData: { authMethod: 'magic_auth' } } })
    expect(answer.body).toEqual({ authData: { authMethod: 'magic_auth' } })
    const code = await codeFor(office, email)
    expect(code).toMatch(/^\d{6}$/)
    expect((await mailsTo(office, email))[0]?.subject).toBe(`${code} is your sign-in code`)
  })

  it('answers alike for an unknown address, makes no account and mails a pointer without a code', async () => {
    const known = await newPerson(office)
    const unknown = freshEmail('stranger')
    const [first, second] = [
      await office.browser().request('signIn', { email: known.email }),
      await office.browser().request('signIn', { email: unknown }),
    ]
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body })
    const mails = await mailsTo(office, unknown)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ to: unknown })
    expect(mails[0]?.code).toBeUndefined()
    const { rows } = await office.database.pool.query('select 1 from users where email = $1', [unknown])
    expect(rows).toHaveLength(0)
  })

  it('takes an address in any spelling and mails the one it knows', async () => {
    const { email } = await newPerson(office, freshEmail('mixed'))
    await office.browser().call('signIn', { email: `  ${email.toUpperCase()} ` })
    expect((await mailsTo(office, email))[0]?.code).toMatch(/^\d{6}$/)
  })

  it.each([
    '',
    'nobody',
    'a@b',
    'a b@example.com',
    'a@exa mple.com',
    `${'x'.repeat(300)}@example.com`,
    'a@example.com\r\nBcc: b@example.com',
  ])('refuses %j: no address', async (email) => {
    const answer = await office.browser().request('signIn', { email })
    expect(answer).toMatchObject({ status: 400, body: { code: 400, details: [{ field: 'email' }] } })
  })

  it('refuses a value of the wrong type, never coerces it', async () => {
    const answer = await office.browser().request('signIn', { email: 42 as unknown as string })
    expect(answer).toMatchObject({ status: 400, body: { code: 400, error: 'invalid-input' } })
  })

  describe('in a domain with single sign-on', () => {
    let issuer: HostileIssuer
    beforeAll(async () => {
      issuer = await openHostileIssuer()
    })
    afterAll(() => issuer.close())

    async function organizationWith(domain: string, state: 'proven' | 'pending' = 'proven') {
      const founder = await newFounder(office)
      await giveDomain(office, founder.organizationId, domain, state)
      await connectToIssuer(office, founder.organizationId, issuer.issuer)
      return founder
    }
    const freshDomain = () => `${freshEmail('d').split('@')[0]}.example`

    it('answers sso with where to go and the state, for known and unknown addresses; sends no mail', async () => {
      const domain = freshDomain()
      await organizationWith(domain)
      const email = `ada@${domain}`
      const answer = await office.browser().request('signIn', { email })
      expect(answer.body).toEqual({
        authData: {
          authMethod: 'sso',
          redirectURL: expect.stringContaining(`${issuer.issuer}/authorize?`),
          state: expect.stringMatching(/^st_/),
        },
      })
      const { authData } = answer.body as { authData: { redirectURL: string } }
      const asked = Object.fromEntries(new URL(authData.redirectURL).searchParams)
      expect(asked).toMatchObject({
        login_hint: email,
        redirect_uri: expect.stringContaining(`${office.office.config.baseUrl}/auth/callback/sso/`),
      })
      expect(await mailsTo(office, email)).toEqual([])
    })

    it('promises no person there a code that will not come', async () => {
      const domain = freshDomain()
      const token = await linkTokenOf(await organizationWith(domain))
      const email = `ada@${domain}`
      const answers = [
        await office.browser().request('signUp', { email }),
        await office.browser().request('memberSignUp', { email, inviteToken: token }),
        await office.browser().request('resendMagicAuth', { email }),
      ]
      for (const { status, body } of answers) {
        expect(body).toEqual({
          code: status,
          message: 'This address signs in through its organization; no code is needed',
          authMethod: 'sso',
        })
      }
      for (const mail of await mailsTo(office, email)) expect(mail.code).toBeUndefined()
    })

    it('does not take a domain that is only claimed, nor subdomains', async () => {
      const [claimed, owned] = [freshDomain(), freshDomain()]
      await organizationWith(claimed, 'pending')
      await organizationWith(owned)
      for (const email of [`ada@${claimed}`, `ada@sub.${owned}`, `ada@evil${owned}`]) {
        expect((await office.browser().call('signIn', { email })).authData.authMethod).toBe('magic_auth')
      }
    })

    it('answers 503 while the issuer is away', async () => {
      const domain = freshDomain()
      await organizationWith(domain)
      await office.database.pool.query(`update sso_connections set issuer = 'http://127.0.0.1:1'`)
      expect(await office.browser().request('signIn', { email: `ada@${domain}` })).toMatchObject({
        status: 503,
        body: { code: 503, error: 'provider-unavailable' },
      })
    })

    it('stores no client secret in clear', async () => {
      await organizationWith(freshDomain())
      const { rows } = await office.database.pool.query(
        `select encode(sealed_client_secret, 'escape') as sealed from sso_connections`,
      )
      expect(rows.length).toBeGreaterThan(0)
      for (const { sealed } of rows) expect(sealed).not.toContain('short')
    })

    it('lets one organization prove a domain', async () => {
      const domain = freshDomain()
      await organizationWith(domain)
      await expect(organizationWith(domain)).rejects.toThrow(/organization_domains_verified/)
    })
  })
})
