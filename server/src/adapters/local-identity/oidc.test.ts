import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type OidcRegistration, oidcSignIn } from './oidc.ts'

const MICROSOFT = 'https://login.microsoftonline.com'
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const registration: OidcRegistration = {
  issuer: `${MICROSOFT}/common/v2.0`,
  clientId: 'atrium',
  clientSecret: 'a secret of the test',
}

let keys: Awaited<ReturnType<typeof generateKeyPair>>
beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
})

interface Vendor {
  /** What its document says about itself. */
  issuer: string
  /** What its tokens say. */
  tokenIssuer: string
  documentsFetched: number
  nonce: string
}

/** A vendor as Microsoft answers for tenants of all kinds: its document names no tenant, its tokens name theirs. */
function answering(vendor: Vendor) {
  return async (address: string): Promise<Response> => {
    const { pathname } = new URL(address)
    if (pathname.endsWith('/.well-known/openid-configuration')) {
      vendor.documentsFetched += 1
      return Response.json({
        issuer: vendor.issuer,
        authorization_endpoint: `${MICROSOFT}/common/oauth2/v2.0/authorize`,
        token_endpoint: `${MICROSOFT}/common/oauth2/v2.0/token`,
        jwks_uri: `${MICROSOFT}/common/discovery/v2.0/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      })
    }
    if (pathname.endsWith('/keys')) {
      const key = await exportJWK(keys.publicKey)
      return Response.json({ keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] })
    }
    const idToken = await new SignJWT({ tid: TENANT, nonce: vendor.nonce, email: 'ada@example.com' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(vendor.tokenIssuer)
      .setSubject('ada')
      .setAudience(registration.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(keys.privateKey)
    return Response.json({ access_token: 'x', token_type: 'Bearer', id_token: idToken })
  }
}

async function signIn(oidc: ReturnType<typeof oidcSignIn>, vendor: Vendor) {
  const redirectUri = 'https://office.example/auth/callback/provider-b'
  const { secrets } = await oidc.start(registration, {
    state: 'st',
    redirectUriAt: () => redirectUri,
    parameters: {},
  })
  vendor.nonce = secrets.nonce
  const callbackUrl = new URL(`${redirectUri}?code=abc&state=st`)
  return oidc.finish(registration, { callbackUrl, state: 'st', secrets, asksUserinfo: false })
}

const vendorOf = (changes: Partial<Vendor>): Vendor => ({
  issuer: `${MICROSOFT}/{tenantid}/v2.0`,
  tokenIssuer: `${MICROSOFT}/${TENANT}/v2.0`,
  documentsFetched: 0,
  nonce: '',
  ...changes,
})

describe('sign-in at an issuer of many tenants', () => {
  it('takes the token of the tenant that it names, time after time', async () => {
    const vendor = vendorOf({})
    const oidc = oidcSignIn({ fetch: answering(vendor), allowsHttp: false })
    for (let round = 0; round < 2; round += 1)
      expect(await signIn(oidc, vendor)).toMatchObject({ claims: { iss: vendor.tokenIssuer, sub: 'ada' } })
    expect(vendor.documentsFetched).toBe(1)
  })

  it('refuses a token that names another tenant than its issuer', async () => {
    const vendor = vendorOf({ tokenIssuer: `${MICROSOFT}/another/v2.0` })
    expect(await signIn(oidcSignIn({ fetch: answering(vendor), allowsHttp: false }), vendor)).toBeUndefined()
  })

  it('does not remember a document that does not hold', async () => {
    const vendor = vendorOf({ issuer: 'https://evil.example' })
    const oidc = oidcSignIn({ fetch: answering(vendor), allowsHttp: false })
    const elsewhere = { ...registration, issuer: 'https://issuer.example' }
    const start = () =>
      oidc.start(elsewhere, { state: 's', redirectUriAt: () => 'https://o.example', parameters: {} })
    await expect(start()).rejects.toThrow()
    await expect(start()).rejects.toThrow()
    expect(vendor.documentsFetched).toBe(2)
  })
})
