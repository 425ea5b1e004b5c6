import * as client from 'openid-client'
import { ProviderFailure } from '../../platform/refusal.ts'
import { boundedFetch, type Fetch } from './outside-fetch.ts'

/** One registration of ours at an issuer. */
export interface OidcRegistration {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface OidcNeeds {
  fetch: Fetch
  /** Issuers without https: development and tests only. */
  allowsHttp: boolean
}

/** What the callback is checked against. Kept sealed from start to return. */
export interface OidcSecrets {
  nonce: string
  codeVerifier: string
}

/** All that goes outside for one request of a person: they are not kept waiting longer. */
const ANSWER_WITHIN_MS = 5_000
const METADATA_FRESH_MS = 10 * 60_000

/** Sign-in at OpenID Connect issuers: code flow with PKCE, state, nonce, and a verified signature. */
export function oidcSignIn(needs: OidcNeeds) {
  const documents = new Map<string, { text: string; until: number }>()

  /** Discovers anew each time, from a document that is read every ten minutes: what the library knows of vendors stays. */
  const configurationOf = async (registration: OidcRegistration): Promise<client.Configuration> => {
    const { issuer, clientId, clientSecret } = registration
    const fetchIt = boundedFetch(needs.fetch, AbortSignal.timeout(ANSWER_WITHIN_MS)) as client.CustomFetch
    const authentication: client.ClientAuth = (metadata, ...rest) =>
      (takesPost(metadata) ? client.ClientSecretPost : client.ClientSecretBasic)(clientSecret)(
        metadata,
        ...rest,
      )
    const options: client.DiscoveryRequestOptions = {
      execute: needs.allowsHttp ? [client.allowInsecureRequests] : [],
      timeout: ANSWER_WITHIN_MS / 1_000,
      [client.customFetch]: rememberingDocument(documents, issuer, fetchIt),
    }
    const configuration = await client
      .discovery(new URL(issuer), clientId, clientSecret, authentication, options)
      .catch((error: unknown) => {
        // what does not hold is not remembered
        documents.delete(issuer)
        throw error
      })
    configuration[client.customFetch] = fetchIt
    // The library trusts the connection to the token endpoint; we want the signature too.
    client.enableNonRepudiationChecks(configuration)
    return configuration
  }

  return {
    /** Where to send the browser, and what to keep until it comes back. @throws ProviderFailure */
    async start(
      registration: OidcRegistration,
      request: { state: string; redirectUri: string; parameters: Record<string, string> },
    ): Promise<{ redirectURL: string; secrets: OidcSecrets }> {
      const configuration = await configurationOf(registration).catch((cause) => {
        throw unavailable('start', cause)
      })
      const secrets = { nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() }
      const url = client.buildAuthorizationUrl(configuration, {
        ...request.parameters,
        scope: 'openid email profile',
        redirect_uri: request.redirectUri,
        state: request.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { redirectURL: url.href, secrets }
    },
    /**
     * The claims of the id token that the code of the callback stands for.
     * @returns undefined where the issuer refuses the code, or its answer does not hold
     * @throws ProviderFailure where it does not answer
     */
    async finish(
      registration: OidcRegistration,
      answer: { callbackUrl: URL; state: string; secrets: OidcSecrets },
    ): Promise<client.IDToken | undefined> {
      try {
        const configuration = await configurationOf(registration)
        const tokens = await client.authorizationCodeGrant(configuration, answer.callbackUrl, {
          expectedState: answer.state,
          expectedNonce: answer.secrets.nonce,
          pkceCodeVerifier: answer.secrets.codeVerifier,
          idTokenExpected: true,
        })
        return tokens.claims()
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw unavailable('finish', error)
      }
    },
  }
}

/** Answers with the document of an issuer as it was fetched lately. */
function rememberingDocument(
  documents: Map<string, { text: string; until: number }>,
  issuer: string,
  fetchIt: client.CustomFetch,
): client.CustomFetch {
  return async (url, options) => {
    const known = documents.get(issuer)
    if (known && known.until > Date.now()) return jsonAnswer(known.text)
    const response = await fetchIt(url, options)
    if (response.status !== 200) return response
    const text = await response.text()
    documents.set(issuer, { text, until: Date.now() + METADATA_FRESH_MS })
    return jsonAnswer(text)
  }
}

function jsonAnswer(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

function takesPost(metadata: client.ServerMetadata): boolean {
  const methods = metadata.token_endpoint_auth_methods_supported
  return !methods || methods.includes('client_secret_post') || !methods.includes('client_secret_basic')
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

function unavailable(action: string, cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause
  return new ProviderFailure('issuer', action, { retryable: true, cause })
}
