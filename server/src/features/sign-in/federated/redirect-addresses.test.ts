import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain, useSharedAddress } from '../../../../tests/chapters/single-sign-on.ts'
import { type Surfer, surferOf } from '../../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder } from '../../../../tests/people.ts'
import { type HostileIssuer, openHostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

/** RFC 9207: an issuer that names itself in every answer. */
const NAMES_ITSELF = { metadata: { authorization_response_iss_parameter_supported: true } }

describe('the redirect address of a connection', () => {
  let office: TestOffice
  let honest: HostileIssuer
  let evil: HostileIssuer
  let naming: HostileIssuer
  beforeAll(async () => {
    ;[honest, evil, naming] = await Promise.all([
      openHostileIssuer(),
      openHostileIssuer(),
      openHostileIssuer(),
    ])
    naming.mischief = NAMES_ITSELF
    office = await openTestOffice({ atBaseUrl: true, settings: { FRONTEND_URL: 'https://office.example' } })
  })
  afterAll(async () => {
    await office.close()
    await Promise.all([honest.close(), evil.close(), naming.close()])
  })
  /** An organization with a domain of its own that signs in at an issuer. */
  async function customerOf(issuer: HostileIssuer) {
    const { organizationId } = await newFounder(office)
    const domain = `${freshEmail('d').split('@')[0]}.example`
    await giveDomain(office, organizationId, domain)
    await connectToIssuer(office, organizationId, issuer.issuer)
    return { organizationId, domain }
  }

  async function begun({ domain }: { domain: string }, surfer = surferOf(office)) {
    const { authData } = await surfer.client.call('signIn', { email: `ada@${domain}` })
    if (authData.authMethod !== 'sso') throw new Error('no single sign-on')
    const asked = new URL(authData.redirectURL).searchParams
    return {
      surfer,
      state: authData.state,
      nonce: asked.get('nonce') ?? '',
      back: asked.get('redirect_uri') ?? '',
    }
  }

  async function bring(surfer: Surfer, address: string, answer: Record<string, string>) {
    const url = new URL(address)
    url.search = new URLSearchParams(answer).toString()
    return (await surfer.visit(url.href)).url.searchParams
  }

  it('never takes the code of one issuer to another: what was begun there comes back there', async () => {
    const [customer, attacker] = [await customerOf(honest), await customerOf(evil)]
    // the attacker begins at the victim's issuer, for its address and its PKCE challenge
    const atHonest = await begun(customer)
    // the victim begins at the attacker's issuer, which sends the browser on to the honest one under the state it was given
    const { surfer: victim, state } = await begun(attacker)
    const asked = evil.tokensAsked
    const end = await bring(victim, atHonest.back, { code: 'the-code-of-the-honest-issuer', state })
    expect(evil.tokensAsked).toBe(asked)
    expect(Object.fromEntries(end)).toEqual({ error: 'sign-in-expired', state })
  })

  it('is one for each connection, and stays where only the secret is replaced', async () => {
    const [one, other] = [await customerOf(honest), await customerOf(honest)]
    const address = (await begun(one)).back
    expect(address).toMatch(new RegExp(`^${office.office.config.baseUrl}/auth/callback/sso/[\\w-]{16,}$`))
    expect((await begun(other)).back).not.toBe(address)
    await connectToIssuer(office, one.organizationId, honest.issuer)
    expect((await begun(one)).back).toBe(address)
    await connectToIssuer(office, one.organizationId, evil.issuer)
    expect((await begun(one)).back).not.toBe(address)
  })

  it('is where the sign-in comes back', async () => {
    const customer = await customerOf(honest)
    honest.person = { sub: freshEmail(), email: `ada@${customer.domain}`, email_verified: true }
    const { surfer, state, nonce, back } = await begun(customer)
    const end = await bring(surfer, back, { code: nonce, state })
    const answer = await surfer.client.request('finalizeOauth', { code: end.get('code') ?? '' })
    expect(answer).toMatchObject({ status: 200, body: { user: { email: `ada@${customer.domain}` } } })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x'])(
    'is asked for at no issuer that sends people to %s: 503, and no address of it reaches anybody',
    async (endpoint) => {
      const issuer = await openHostileIssuer()
      try {
        issuer.mischief = { metadata: { authorization_endpoint: endpoint } }
        const { domain } = await customerOf(issuer)
        const answer = await office.browser().request('signIn', { email: `ada@${domain}` })
        expect(answer).toMatchObject({ status: 503, body: { error: 'provider-unavailable' } })
      } finally {
        await issuer.close()
      }
    },
  )

  describe('of a connection from before there was one for each', () => {
    const sharedAddress = () => `${office.office.config.baseUrl}/auth/callback/sso`
    async function earlierCustomer(issuer: HostileIssuer) {
      const customer = await customerOf(issuer)
      await useSharedAddress(office, customer.organizationId)
      issuer.person = { sub: freshEmail(), email: `ada@${customer.domain}`, email_verified: true }
      return customer
    }

    it('is the shared one where the issuer names itself in its answers', async () => {
      const { surfer, state, nonce, back } = await begun(await earlierCustomer(naming))
      expect(back).toBe(sharedAddress())
      const end = await bring(surfer, back, { code: nonce, state, iss: naming.issuer })
      expect(end.has('code')).toBe(true)
    })

    it.each([
      ['nobody', {}],
      ['somebody else', { iss: 'https://evil.example' }],
    ])('takes nothing at the shared one that names %s, and asks no issuer about it', async (_, named) => {
      const { surfer, state, nonce, back } = await begun(await earlierCustomer(naming))
      const asked = naming.tokensAsked
      const end = await bring(surfer, back, { code: nonce, state, ...named })
      expect(end.get('error')).toBe('sign-in-refused')
      expect(naming.tokensAsked).toBe(asked)
    })

    it('is its own where the issuer does not name itself', async () => {
      expect((await begun(await earlierCustomer(honest))).back).toMatch(/\/auth\/callback\/sso\/[\w-]+$/)
    })
  })
})
