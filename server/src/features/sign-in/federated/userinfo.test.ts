import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  connectToIssuer,
  draftAt,
  newDomainOwner,
  openOfficeWithIssuer,
  tryOut,
} from '../../../../tests/chapters/single-sign-on.ts'
import { surferOf } from '../../../../tests/chapters/surfer.ts'
import { freshEmail, type TestOffice } from '../../../../tests/office.ts'
import type { HostileIssuer, Mischief } from '../../../../tests/vendors/hostile-issuer.ts'

describe('single sign-on where the id token says little', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer((issuer) => ({
      atBaseUrl: true,
      settings: {
        GOOGLE_CLIENT_ID: 'us',
        GOOGLE_CLIENT_SECRET: 'short',
        GOOGLE_ISSUER_URL: issuer.issuer,
      },
    })))
    issuer.userinfo = {}
  })
  afterAll(() => office.close())
  beforeEach(() => {
    issuer.userinfoAsked = 0
  })
  afterEach(() => {
    issuer.mischief = {}
    issuer.userinfo = {}
  })

  async function connected() {
    const owner = await newDomainOwner(office)
    await connectToIssuer(office, owner.organizationId, issuer.issuer)
    const newcomer = () => freshEmail().replace('people.example', owner.domain)
    return { ...owner, newcomer }
  }

  /** A visitor comes back from the issuer of their domain. @returns what the front end gets, or what finalize answers */
  async function arrive(email: string, person: Record<string, unknown>, userinfo: Record<string, unknown>) {
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('signIn', { email })
    if (authData.authMethod !== 'sso') throw new Error(`${email} has no single sign-on`)
    const asked = new URL(authData.redirectURL).searchParams
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: asked.get('nonce') ?? '', state: authData.state }).toString()
    issuer.person = { sub: email, ...person }
    issuer.userinfo = userinfo
    const { url } = await surfer.visit(back.href)
    const error = url.searchParams.get('error')
    if (error) return { error }
    const code = url.searchParams.get('code') ?? ''
    return await surfer.client.request('finalizeOauth', { code })
  }

  it('asks the issuer for what the id token lacks', async () => {
    const { newcomer, organizationId } = await connected()
    const email = newcomer()
    const said = { email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' }
    expect(await arrive(email, {}, said)).toMatchObject({
      status: 200,
      body: { user: { email, firstName: 'Ada', lastName: 'Lovelace' }, joined: { organizationId } },
    })
  })

  it.each(['', ' ', `${'x'.repeat(400)}@a.example`])(
    'asks too where its address is none: %j',
    async (none) => {
      const { newcomer } = await connected()
      const email = newcomer()
      const arrived = await arrive(email, { email: none }, { email, email_verified: true })
      expect(arrived).toMatchObject({ status: 200, body: { user: { email } } })
    },
  )

  it('does not ask where the id token says all, nor at a social sign-in', async () => {
    const { newcomer } = await connected()
    const email = newcomer()
    const all = { email, email_verified: true, given_name: 'Ada' }
    expect(await arrive(email, all, { email: newcomer() })).toMatchObject({ body: { user: { email } } })
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('continueWithProviderA')
    const asked = new URL(authData.redirectURL).searchParams
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: asked.get('nonce') ?? '', state: authData.state }).toString()
    issuer.person = { sub: freshEmail() }
    expect((await surfer.visit(back.href)).url.searchParams.has('code')).toBe(true)
    expect(issuer.userinfoAsked).toBe(0)
  })

  it('believes nothing that is said of another subject', async () => {
    const { newcomer } = await connected()
    const email = newcomer()
    const others = { sub: 'another', email, email_verified: true }
    expect(await arrive(email, {}, others)).toEqual({ error: 'sign-in-refused' })
  })

  it('takes the word about an address from where that address was said', async () => {
    const { newcomer } = await connected()
    const unproven = { status: 400, body: { error: 'email-not-proven' } }
    const [email, other] = [newcomer(), newcomer()]
    expect(await arrive(email, { email }, { email: other, email_verified: true })).toMatchObject(unproven)
    const denied = { email, email_verified: false }
    expect(await arrive(email, denied, { email, email_verified: true })).toMatchObject(unproven)
    expect(await arrive(email, { email_verified: true }, { email })).toMatchObject(unproven)
    const proven = await arrive(email, { email }, { email, email_verified: true })
    expect(proven).toMatchObject({ status: 200, body: { user: { email } } })
  })

  it.each<[string, Record<string, unknown>, Mischief['answer']?]>([
    ['neither has one', {}],
    ['it is too long', { email: `${'x'.repeat(400)}@a.example`, email_verified: true }],
    ['it is none', { email: 7, email_verified: true }],
    ['the issuer does not give it away', {}, { at: 'userinfo', status: 403, body: '{}' }],
  ])(
    'says that there is no address where %s: to newcomers, those it knows, and at a trial',
    async (_case, userinfo, answer) => {
      const admin = await connected()
      const email = admin.newcomer()
      await arrive(email, { email, email_verified: true }, {})
      issuer.mischief = answer ? { answer } : {}
      const refusal = { status: 400, body: { error: 'no-email' } }
      for (const sub of [email, admin.newcomer()])
        expect(await arrive(email, { sub }, userinfo)).toMatchObject(refusal)
      await admin.browser.call('saveSingleSignOn', draftAt(issuer))
      const none = { email: undefined, email_verified: undefined }
      expect(await tryOut(office, issuer, admin, email, none)).toBe('no-email')
    },
  )

  it('says that the issuer does not answer where it owes the address, and goes on where it does not', async () => {
    const { newcomer } = await connected()
    const email = newcomer()
    issuer.mischief = { answer: { at: 'userinfo', status: 500, body: 'canary' } }
    expect(await arrive(email, {}, {})).toEqual({ error: 'provider-unavailable' })
    const entered = await arrive(email, { email, email_verified: true }, {})
    expect(entered).toMatchObject({ status: 200, body: { user: { email } } })
  })
})
