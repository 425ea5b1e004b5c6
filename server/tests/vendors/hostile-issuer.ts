import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

/** What an issuer does that is not as it should be. */
export interface Mischief {
  /** In place of what the id token would say. */
  claims?: JWTPayload
  /** How it is signed. */
  signature?: 'none' | 'other-key' | 'public-key-as-secret'
  metadata?: Record<string, unknown>
  /** In place of the answer of an endpoint. */
  answer?: { at: 'metadata' | 'token' | 'keys' | 'userinfo'; status?: number; body?: string; hang?: boolean }
}

export interface HostileIssuer {
  issuer: string
  mischief: Mischief
  /** What the next id token says about the person. */
  person: Record<string, unknown>
  /** What it says of them at its userinfo endpoint, beside the subject; without it, it has none. */
  userinfo: Record<string, unknown> | undefined
  /** Where its sign-out sends browsers: back, as they ask, to a page of its own, or on. Without it, it has none. */
  signOut: 'back' | 'own-page' | 'https://elsewhere.example/' | undefined
  /** Addresses of its sign-out that were asked for. */
  signOuts: URL[]
  /** How often the userinfo endpoint was asked. */
  userinfoAsked: number
  /** How often the token endpoint was asked. */
  tokensAsked: number
  close(): Promise<void>
}

const ACCESS_TOKEN = 'canary-of-an-access-token'
const ENDPOINTS: Record<string, 'token' | 'keys' | 'userinfo'> = {
  '/token': 'token',
  '/keys': 'keys',
  '/userinfo': 'userinfo',
}

/** An issuer that tests turn bad. Its authorization endpoint is never visited: tests make up what it answers. */
export async function openHostileIssuer(): Promise<HostileIssuer> {
  const own = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const publicKey = { ...(await exportJWK(own.publicKey)), alg: 'RS256', use: 'sig', kid: 'own' }
  const server = createServer((request, response) => void answer(request, response))
  const state: HostileIssuer = {
    issuer: '',
    mischief: {},
    person: {},
    userinfo: undefined,
    signOut: undefined,
    signOuts: [],
    userinfoAsked: 0,
    tokensAsked: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', state.issuer)
    const { pathname } = url
    if (pathname === '/sign-out') return signOut(url, response)
    const at = ENDPOINTS[pathname] ?? 'metadata'
    if (at === 'token') state.tokensAsked += 1
    if (at === 'userinfo') state.userinfoAsked += 1
    const instead = state.mischief.answer?.at === at ? state.mischief.answer : undefined
    if (instead?.hang) return
    const body = instead?.body ?? JSON.stringify(await bodies[at](request))
    response.writeHead(instead?.status ?? 200, { 'content-type': 'application/json' }).end(body)
  }
  function signOut(url: URL, response: ServerResponse): void {
    state.signOuts.push(url)
    const returnTo = url.searchParams.get('post_logout_redirect_uri') ?? ''
    if (state.signOut === 'own-page') response.end('You are signed out')
    else
      response.writeHead(302, { location: state.signOut === 'back' ? returnTo : String(state.signOut) }).end()
  }
  const bodies = {
    metadata: async () => ({
      issuer: state.issuer,
      authorization_endpoint: `${state.issuer}/authorize`,
      token_endpoint: `${state.issuer}/token`,
      jwks_uri: `${state.issuer}/keys`,
      ...(state.userinfo ? { userinfo_endpoint: `${state.issuer}/userinfo` } : {}),
      ...(state.signOut ? { end_session_endpoint: `${state.issuer}/sign-out?at=issuer` } : {}),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...state.mischief.metadata,
    }),
    keys: async () => ({ keys: [publicKey] }),
    userinfo: async (request: IncomingMessage) => {
      if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) throw new Error('another access token')
      return { sub: state.person.sub ?? 'somebody', ...state.userinfo }
    },
    token: async (request: IncomingMessage) => {
      let form = ''
      for await (const chunk of request) form += String(chunk)
      // the test's "code" carries the nonce that the authorization request had
      const nonce = new URLSearchParams(form).get('code') ?? ''
      return { access_token: ACCESS_TOKEN, token_type: 'bearer', id_token: await idToken(nonce) }
    },
  }
  async function idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const standard = { iss: state.issuer, aud: 'us', sub: 'somebody', nonce, iat: now, exp: now + 300 }
    const payload = { ...standard, ...state.person, ...state.mischief.claims }
    const { signature } = state.mischief
    if (signature === 'none') return new UnsecuredJWT(payload).encode()
    if (signature === 'public-key-as-secret') {
      const secret = new TextEncoder().encode(JSON.stringify(publicKey).padEnd(64))
      return await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(secret)
    }
    const key = signature === 'other-key' ? other.privateKey : own.privateKey
    return await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}
