import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surferOf } from '../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'

describe('the issuers of the sandbox', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ atBaseUrl: true })
  })
  afterAll(() => office.close())

  it('have a login page of one form with one field, filled with the address that was typed before', async () => {
    const surfer = surferOf(office)
    const email = freshEmail('"><script>').replace('people.example', 'sso.example')
    const plain = email.replaceAll(/["<>]/g, '')
    const { authData } = await surfer.client.call('signIn', { email: plain })
    const page = await surfer.visit((authData as { redirectURL: string }).redirectURL)
    expect(page.status).toBe(200)
    expect(page.html.match(/<form/g)).toHaveLength(1)
    expect(page.html.match(/<input/g)).toHaveLength(1)
    expect(page.html).toMatch(new RegExp(`<input [^>]*name="email"[^>]*value="${plain}"`))
  })

  it('ask again every time, also in a browser that has signed in before', async () => {
    const surfer = surferOf(office)
    for (const email of [freshEmail(), freshEmail()]) {
      const { authData } = await surfer.client.call('continueWithProviderB')
      const end = await surfer.logIn(authData.redirectURL, email)
      const { user } = await surfer.client.call('finalizeOauth', { code: end.searchParams.get('code') ?? '' })
      expect(user.email).toBe(email)
    }
  })

  it('say so where nothing can be an address, and where the sign-in is unknown', async () => {
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('continueWithProviderA')
    const page = await surfer.logIn(authData.redirectURL, 'nobody')
    expect(page.pathname).toMatch(/^\/sandbox\/provider-a\/login\//)
    const lost = await surferOf(office).visit(`${office.baseUrl}/sandbox/provider-a/login/unknown`)
    expect(lost).toMatchObject({ status: 400 })
    expect(lost.html).toContain('has expired')
  })

  it('name the office as it is called, on every request', async () => {
    const metadata = await fetch(`${office.baseUrl}/sandbox/sso/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    expect(await metadata.json()).toMatchObject({
      issuer: `${office.office.config.baseUrl}/sandbox/sso`,
      token_endpoint: `${office.office.config.baseUrl}/sandbox/sso/token`,
    })
  })

  it('have a page that offers every way in', async () => {
    const page = await fetch(`${office.baseUrl}/sandbox/sign-in`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/)
    expect(await page.text()).toContain('Continue with provider A')
  })
})
