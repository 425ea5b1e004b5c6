import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
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
  redirectUri: string
  cookieKey: string
  claimsOf(email: string): Record<string, unknown>
}

export interface MountedIssuer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** What the application said about who is coming; undefined where nobody is being signed in. */
  loginOf(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ loginHint: string | undefined } | undefined>
  finishLogin(request: IncomingMessage, response: ServerResponse, email: string): Promise<void>
}

const KEY_BITS = 2_048

/** An OpenID Connect issuer that asks for nothing but an address, at every sign-in, and for no consent. */
export async function openIssuer(options: IssuerOptions): Promise<MountedIssuer> {
  const { Provider, interactionPolicy } = await import('oidc-provider')
  const { issuer, clientId, clientSecret } = options.registration
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: KEY_BITS, extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'sandbox' }
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const { Check } = interactionPolicy
  policy
    .get('login')
    ?.checks.add(
      new Check('always_asked', 'the sandbox asks every time who it is', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  const provider = new Provider(issuer, {
    adapter: inMemory(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [options.redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: [options.cookieKey] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd', 'xms_edov'], profile: ['name'] },
    // Like the vendors it stands for: the claims are in the id token, not only behind another request.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
    interactions: { policy, url: (_ctx, interaction) => `${options.loginPath}/${interaction.uid}` },
    findAccount: (_ctx, email) => ({
      accountId: email,
      claims: async () => options.claimsOf(email) as { sub: string },
    }),
    async loadExistingGrant(ctx) {
      const accountId = ctx.oidc.session?.accountId
      if (!accountId) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
  })
  // Behind a proxy of the office, links must still name the office: see routes.ts.
  provider.proxy = true
  const callback = provider.callback()
  return {
    async handle(request, response) {
      await callback(request, response)
    },
    async loginOf(request, response) {
      try {
        const { params } = await provider.interactionDetails(request, response)
        return { loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined }
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
  }
}
