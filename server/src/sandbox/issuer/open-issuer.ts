import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import type { ClientMetadata, Provider } from 'oidc-provider'
import { DAY_SECONDS } from '../../platform/clock.ts'
import { inMemory } from './memory.ts'

/** The office's registration at an issuer. */
export interface Registration {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface IssuerOptions {
  registration: Registration
  /** Of the login page; the id of the interaction follows it. */
  loginPath: string
  redirectUris: readonly string[]
  /** A permission that applications may ask for beside the identity; it comes with a refresh token. */
  lastingScope?: string
  /** Whether each use of a refresh token makes another one. */
  rotates?: boolean
  cookieKey: string
  claimsOf(email: string): Record<string, unknown>
}

export interface MountedIssuer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** What the application said about the person who comes; undefined where no sign-in is under way. */
  loginOf(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ loginHint: string | undefined; asksConsent: boolean } | undefined>
  finishLogin(request: IncomingMessage, response: ServerResponse, email: string): Promise<void>
  /** The person at the login refuses. */
  refuseLogin(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The account of an access token with the lasting permission; undefined where it is not one, or over. */
  accountOf(accessToken: string): Promise<string | undefined>
}

const KEY_BITS = 2_048
const LASTING_SECONDS = 30 * DAY_SECONDS
const LIFETIMES = {
  Interaction: 600,
  Session: 600,
  Grant: LASTING_SECONDS,
  AccessToken: 3_600,
  RefreshToken: LASTING_SECONDS,
  IdToken: 600,
  AuthorizationCode: 60,
}

type OidcProvider = typeof import('oidc-provider')

/** An OpenID Connect issuer that asks for nothing but an address, at every sign-in, and for no consent. */
export async function openIssuer(options: IssuerOptions): Promise<MountedIssuer> {
  // oidc-provider knows a Node that it supports by the name of its line, which the packages of Node 26 do not say
  Object.assign(process.release, { lts: process.release.lts ?? 'LTS' })
  const { Provider, interactionPolicy } = await import('oidc-provider')
  const { issuer, clientId } = options.registration
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: KEY_BITS, extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'sandbox' }
  const policy = loginPolicy(interactionPolicy)
  const lasting = options.lastingScope ? [options.lastingScope] : []
  const provider = new Provider(issuer, {
    adapter: inMemory(),
    clients: [clientOf(options)],
    jwks: { keys: [key as never] },
    cookies: { keys: [options.cookieKey] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd', 'xms_edov'], profile: ['name'] },
    // Like the vendors it stands for: the claims are in the id token, not only behind another request.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', ...lasting],
    issueRefreshToken: async (_ctx, _client, code) => lasting.some((scope) => code.scopes.has(scope)),
    expiresWithSession: async () => false,
    rotateRefreshToken: options.rotates === true,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: true },
      revocation: {
        enabled: lasting.length > 0,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
    },
    interactions: { policy, url: (_ctx, interaction) => `${options.loginPath}/${interaction.uid}` },
    findAccount: (_ctx, email) => ({
      accountId: email,
      claims: async () => options.claimsOf(email) as { sub: string },
    }),
    async loadExistingGrant(ctx) {
      const accountId = ctx.oidc.session?.accountId
      if (!accountId) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope(['openid email profile offline_access', ...lasting].join(' '))
      await grant.save()
      return grant
    },
    ttl: LIFETIMES,
  })
  // Behind a proxy of the office, links must still name the office: see routes.ts.
  provider.proxy = true
  return mounted(provider, lasting)
}

/** Prompts for a login at every sign-in, and never for consent. */
function loginPolicy({ base, Check }: OidcProvider['interactionPolicy']) {
  const policy = base()
  policy.remove('consent')
  const alwaysAsked = new Check('always_asked', 'the sandbox asks every time who it is', (ctx) =>
    ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  policy.get('login')?.checks.add(alwaysAsked)
  return policy
}

function clientOf({ registration, redirectUris, lastingScope }: IssuerOptions): ClientMetadata {
  return {
    client_id: registration.clientId,
    client_secret: registration.clientSecret,
    redirect_uris: [...redirectUris],
    response_types: ['code'],
    grant_types: lastingScope ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_post',
  }
}

function mounted(provider: Provider, lasting: readonly string[]): MountedIssuer {
  const callback = provider.callback()
  return {
    async handle(request, response) {
      await callback(request, response)
    },
    async loginOf(request, response) {
      try {
        const { params } = await provider.interactionDetails(request, response)
        const scopes = String(params.scope ?? '').split(' ')
        return {
          loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined,
          asksConsent: lasting.some((scope) => scopes.includes(scope)),
        }
      } catch {
        return undefined
      }
    },
    async finishLogin(request, response, email) {
      await provider.interactionFinished(
        request,
        response,
        { login: { accountId: email } },
        { mergeWithLastSubmission: false },
      )
    },
    async refuseLogin(request, response) {
      const result = { error: 'access_denied', error_description: 'They said no' }
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    },
    async accountOf(accessToken) {
      const token = await provider.AccessToken.find(accessToken)
      return token && lasting.some((scope) => token.scopes.has(scope)) ? token.accountId : undefined
    },
  }
}
