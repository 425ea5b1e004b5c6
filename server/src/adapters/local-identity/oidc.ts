import * as client from 'openid-client'
import {
  type IssuerNeeds,
  type IssuerRegistration,
  knownIssuers,
} from '../../platform/outside/known-issuers.ts'
import { outside } from '../../platform/outside/outside.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { addressIn, type Claims } from './asserted-identity.ts'
import type { IssuerSignOut } from './issuer-sign-out.ts'
import { withUserinfo } from './userinfo.ts'

const PROVIDER = 'issuer'

export type OidcRegistration = IssuerRegistration

/** What the callback is checked against. Kept sealed from start to return. */
export interface OidcSecrets {
  nonce: string
  codeVerifier: string
}

/** What an issuer says at the end of a sign-in. */
export interface OidcAnswer {
  claims: Claims
  /** How that sign-in ends there; undefined where the issuer has no address for it. */
  signOut: IssuerSignOut | undefined
}

interface OidcCallback {
  callbackUrl: URL
  state: string
  secrets: OidcSecrets
  asksUserinfo: boolean
}

/** Sign-in at OpenID Connect issuers: code flow with PKCE, state, nonce, and a verified signature. */
export function oidcSignIn(needs: IssuerNeeds) {
  const configurationOf = knownIssuers(needs)

  return {
    /**
     * Where to send the browser, and what to keep until it comes back.
     * @param redirectUriAt where it comes back to, from an issuer that names itself in its answers (RFC 9207) or not
     * @throws ProviderFailure
     */
    async start(
      registration: OidcRegistration,
      request: {
        state: string
        redirectUriAt: (issuer: { namesItself: boolean }) => string
        parameters: Record<string, string>
      },
    ): Promise<{ redirectURL: string; redirectUri: string; secrets: OidcSecrets }> {
      const configuration = await outside({ provider: PROVIDER, action: 'start' }, () =>
        configurationOf(registration),
      )
      const { authorization_response_iss_parameter_supported: namesItself } = configuration.serverMetadata()
      const redirectUri = request.redirectUriAt({ namesItself: namesItself === true })
      const secrets = { nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() }
      const url = client.buildAuthorizationUrl(configuration, {
        ...request.parameters,
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        state: request.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { redirectURL: url.href, redirectUri, secrets }
    },
    /**
     * What the code of the callback stands for: the claims of an id token that holds.
     * @param answer.asksUserinfo whether the issuer is asked for what the id token lacks
     * @returns undefined where the issuer refuses the code, or its answer does not hold
     * @throws ProviderFailure where it does not answer
     */
    async finish(registration: OidcRegistration, answer: OidcCallback): Promise<OidcAnswer | undefined> {
      return await outside({ provider: PROVIDER, action: 'finish' }, () =>
        redeem(() => configurationOf(registration), answer),
      )
    },
  }
}

async function redeem(
  configurationNow: () => Promise<client.Configuration>,
  answer: OidcCallback,
): Promise<OidcAnswer | undefined> {
  try {
    const configuration = await configurationNow()
    const tokens = await client.authorizationCodeGrant(configuration, answer.callbackUrl, {
      expectedState: answer.state,
      expectedNonce: answer.secrets.nonce,
      pkceCodeVerifier: answer.secrets.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) return undefined
    const signOut = signOutOf(configuration, { ...tokens, hint: addressIn(claims) })
    if (!answer.asksUserinfo) return { claims, signOut }
    return { claims: await withUserinfo(configuration, tokens.access_token, claims), signOut }
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    if (isRefusal(error)) return undefined
    throw error
  }
}

function signOutOf(
  configuration: client.Configuration,
  { id_token: idToken, hint }: { id_token?: string | undefined; hint: string },
): IssuerSignOut | undefined {
  const { end_session_endpoint: endpoint } = configuration.serverMetadata()
  const { client_id: clientId } = configuration.clientMetadata()
  return endpoint === undefined || idToken === undefined ? undefined : { endpoint, clientId, idToken, hint }
}

/** Whether the issuer has answered and said no, or said something that does not hold. */
function isRefusal(error: unknown): boolean {
  if (error instanceof client.AuthorizationResponseError) return true
  if (error instanceof client.ResponseBodyError) return error.status >= 400 && error.status < 429
  const { code } = error as { code?: unknown }
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    return false
  if (code === 'OAUTH_PARSE_ERROR' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') return false
  return typeof code === 'string' && code.startsWith('OAUTH_')
}
