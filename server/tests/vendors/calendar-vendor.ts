import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AtriumClient } from '@atrium/client'
import { consentUrlOf, newPkce, type Provider } from '../chapters/calendars.ts'
import { openTestOffice, type TestOffice, type TestOfficeOptions } from '../office.ts'

export interface VendorReply {
  status?: number
  body?: unknown
  /** In place of `body`, as it is. */
  raw?: string
  headers?: Record<string, string>
  /** Hangs up in the middle of the answer. */
  cutOff?: boolean
}

export interface VendorRequest {
  /** Without the query; decoded. */
  path: string
  /** The same as it was sent. */
  sentPath: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

/**
 * Both vendors at once, as a test wants them: OAuth with PKCE and refresh tokens under one address, and behind the
 * tokens an API that answers what the test says.
 */
export interface CalendarVendor {
  url: string
  /** Settings of an office that goes to it. */
  settings: Record<string, string>
  /** What the API answers to a good token. */
  respond: (request: VendorRequest) => VendorReply | Promise<VendorReply>
  /** Requests of the API, with and without good tokens. */
  asked: VendorRequest[]
  /** Forms that came to the token endpoint. */
  tokenForms: Record<string, string>[]
  /** Tokens that were handed in to be revoked. */
  revoked: string[]
  /** Every token that was ever given out. */
  tokens: string[]
  /** In place of what the token endpoint would answer. */
  tokenReply:
    | ((form: Record<string, string>) => VendorReply | undefined | Promise<VendorReply | undefined>)
    | undefined
  /** Seconds that access tokens live, as it says. */
  expiresIn: number | undefined
  /** A refresh token is good once; another one comes with the access token. */
  rotates: boolean
  /** Access tokens given out so far are no longer good. */
  endAccess(): void
  /** Refresh tokens given out so far are no longer good. */
  endConsent(): void
  /** A person consents where a browser was sent. @returns where it comes back to */
  consentAt(consentUrl: string): URL
  /** A person consents. @returns what finalize takes */
  consent(browser: AtriumClient, provider: Provider): Promise<{ code: string; codeVerifier: string }>
  connect(browser: AtriumClient, provider: Provider): Promise<void>
  close(): Promise<void>
}

export async function calendarVendor(): Promise<CalendarVendor> {
  const codes = new Map<string, string>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const server = createServer((request, response) => void answer(request, response))
  const vendor: CalendarVendor = {
    url: '',
    settings: {},
    respond: () => ({ status: 404, body: {} }),
    asked: [],
    tokenForms: [],
    revoked: [],
    tokens: [],
    tokenReply: undefined,
    expiresIn: 3_600,
    rotates: false,
    endAccess: () => access.clear(),
    endConsent: () => refresh.clear(),
    consentAt(consentUrl) {
      const asked = new URL(consentUrl).searchParams
      const code = `code-${randomBytes(12).toString('hex')}`
      codes.set(code, asked.get('code_challenge') ?? '')
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
      return back
    },
    async consent(browser, provider) {
      const pkce = newPkce()
      const back = vendor.consentAt(await consentUrlOf(browser, provider, pkce))
      return { code: back.searchParams.get('code') ?? '', codeVerifier: pkce.codeVerifier }
    },
    async connect(browser, provider) {
      await browser.call(`finalizeProvider${provider}Calendar`, await vendor.consent(browser, provider))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', vendor.url)
    const path = decodeURIComponent(url.pathname)
    const reply =
      path === '/.well-known/openid-configuration'
        ? { body: metadata() }
        : path === '/token'
          ? await tokenAnswer(await formOf(request))
          : path === '/revoke'
            ? revocation(await formOf(request))
            : await apiAnswer({
                path,
                sentPath: url.pathname,
                query: url.searchParams,
                headers: request.headers,
              })
    const text = reply.raw ?? JSON.stringify(reply.body ?? {})
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    if (!reply.cutOff) response.end(text)
    else response.write(text.slice(0, text.length / 2), () => response.destroy())
  }
  const metadata = () => ({
    issuer: vendor.url,
    authorization_endpoint: `${vendor.url}/authorize`,
    token_endpoint: `${vendor.url}/token`,
    revocation_endpoint: `${vendor.url}/revoke`,
    jwks_uri: `${vendor.url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  async function tokenAnswer(form: Record<string, string>): Promise<VendorReply> {
    vendor.tokenForms.push(form)
    const instead = await vendor.tokenReply?.(form)
    if (instead) return instead
    const { code = '', code_verifier: verifier = '', refresh_token: refreshToken = '' } = form
    if (form.client_secret !== 'shh') return { status: 401, body: { error: 'invalid_client' } }
    if (form.grant_type === 'refresh_token') {
      if (!refresh.has(refreshToken)) return refused
      if (!vendor.rotates) return granted()
      refresh.delete(refreshToken)
      return granted(newToken(refresh))
    }
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const good = codes.get(code) === challenge
    codes.delete(code)
    return good ? granted(newToken(refresh)) : refused
  }
  const refused: VendorReply = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Bad Request' },
  }
  const newToken = (kind: Set<string>) => {
    const token = `canary-${randomBytes(16).toString('hex')}`
    kind.add(token)
    vendor.tokens.push(token)
    return token
  }
  const granted = (refreshToken?: string): VendorReply => ({
    body: {
      access_token: newToken(access),
      token_type: 'Bearer',
      ...(vendor.expiresIn === undefined ? {} : { expires_in: vendor.expiresIn }),
      ...(refreshToken ? { refresh_token: refreshToken } : {}),
    },
  })
  const revocation = ({ token = '' }: Record<string, string>): VendorReply => {
    vendor.revoked.push(token)
    refresh.delete(token)
    return {}
  }
  async function apiAnswer(request: VendorRequest): Promise<VendorReply> {
    vendor.asked.push(request)
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (access.has(token)) return await vendor.respond(request)
    return {
      status: 401,
      body: { error: { code: 401, errors: [{ reason: 'authError' }], status: 'UNAUTHENTICATED' } },
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vendor.settings = {
    GOOGLE_CLIENT_ID: 'us',
    GOOGLE_CLIENT_SECRET: 'shh',
    GOOGLE_ISSUER_URL: vendor.url,
    GOOGLE_CALENDAR_URL: vendor.url,
    MICROSOFT_CLIENT_ID: 'us',
    MICROSOFT_CLIENT_SECRET: 'shh',
    MICROSOFT_ISSUER_URL: vendor.url,
    MICROSOFT_GRAPH_URL: vendor.url,
  }
  return vendor
}

async function formOf(request: IncomingMessage): Promise<Record<string, string>> {
  let form = ''
  for await (const chunk of request) form += String(chunk)
  return Object.fromEntries(new URLSearchParams(form))
}

/** A vendor and an office that goes to it for the calendars of both providers. */
export async function openVendorOffice(
  settingsOf = ({ settings }: CalendarVendor): Record<string, string> => settings,
  options: Pick<TestOfficeOptions, 'log'> = {},
): Promise<{ vendor: CalendarVendor; office: TestOffice; close: () => Promise<void> }> {
  const vendor = await calendarVendor()
  const office = await openTestOffice({ ...options, settings: settingsOf(vendor) })
  const close = async () => {
    await office.close()
    await vendor.close()
  }
  return { vendor, office, close }
}

/** A list, as the API of a provider answers it. */
export function listFrom(provider: Provider, items: object[]): VendorReply {
  return { body: provider === 'A' ? { items } : { value: items } }
}
