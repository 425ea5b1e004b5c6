import * as client from 'openid-client'
import { ProviderFailure } from '../refusal.ts'
import { type IssuerNeeds, type IssuerRegistration, knownIssuers } from './known-issuers.ts'
import { outside } from './outside.ts'
import { countOf } from './outside-fields.ts'

/** What an issuer gives us to act for a person. */
export interface GrantedTokens {
  accessToken: string
  /** `null`: none was given, or the one we have stays. */
  refreshToken: string | null
  /** Of the access token; `null` where it is not said. */
  expiresInSeconds: number | null
}

export interface DelegatedAccessNeeds extends IssuerNeeds {
  registration: IssuerRegistration
  /** How failures name it. */
  provider: string
  /** What has to be granted: one of these permissions. In small letters; an issuer may write them otherwise. */
  permissions: readonly string[]
}

/** A token that lives longer has no known end. */
const EXPIRES_SECONDS_MAX = 400 * 24 * 3_600
/** What can go into a header. Another token would be quoted by the error that refuses it. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/
/** Our own registration is not accepted: nothing that the person could mend. */
const OUR_FAULTS = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']
/** Only the person can mend it, by consenting again. */
const CONSENT_IS_OVER = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required']

/**
 * Access to a person's data elsewhere (OAuth 2, authorization code with PKCE). The secret of PKCE stays with the client
 * that begins: here only its challenge and, at the end, the verifier pass through.
 */
export function delegatedAccess({ registration, provider, permissions, ...needs }: DelegatedAccessNeeds) {
  const configurationOf = knownIssuers(needs)
  const attempt = <T>(action: string, work: (at: client.Configuration) => Promise<T>): Promise<T> =>
    outside(
      { provider, action },
      async () => work(await configurationOf(registration)),
      (error) => new ProviderFailure(provider, action, { retryable: true, cause: withoutAnswer(error) }),
    )
  return {
    /** Where to send the browser to consent. @throws ProviderFailure */
    authorizationUrl: (parameters: Record<string, string>): Promise<string> =>
      attempt('authorize', async (at) => {
        return client.buildAuthorizationUrl(at, { response_type: 'code', ...parameters }).href
      }),
    /**
     * Exchanges a code.
     * @returns undefined where code or verifier are refused, `permission-missing` where the consent lacks what we asked for
     * @throws ProviderFailure
     */
    redeem: (answer: Redeemed): Promise<GrantedTokens | 'permission-missing' | undefined> =>
      attempt('redeem', (at) => redeem(at, answer, permissions)),
    /** @returns undefined where the consent is over. @throws ProviderFailure where nothing is known of it */
    refresh: (refreshToken: string): Promise<GrantedTokens | undefined> =>
      attempt('refresh', async (at) => {
        const tokens = await unlessRefused(client.refreshTokenGrant(at, refreshToken), (word) =>
          CONSENT_IS_OVER.includes(word),
        )
        return tokens && isGranted(tokens, permissions) ? granted(tokens) : undefined
      }),
    /** Ends a consent where the issuer offers that. @throws ProviderFailure */
    revoke: (refreshToken: string): Promise<void> =>
      attempt('revoke', async (at) => {
        if (!at.serverMetadata().revocation_endpoint) return
        await client.tokenRevocation(at, refreshToken, { token_type_hint: 'refresh_token' })
      }),
  }
}

interface Redeemed {
  code: string
  codeVerifier: string
  redirectUri: string
}

async function redeem(
  at: client.Configuration,
  answer: Redeemed,
  permissions: readonly string[],
): Promise<GrantedTokens | 'permission-missing' | undefined> {
  const parameters = {
    code: answer.code,
    code_verifier: answer.codeVerifier,
    redirect_uri: answer.redirectUri,
  }
  const tokens = await unlessRefused(
    client.genericGrantRequest(at, 'authorization_code', parameters),
    (word) => !OUR_FAULTS.includes(word),
  )
  if (tokens && !isGranted(tokens, permissions)) return 'permission-missing'
  return tokens && granted(tokens)
}

async function unlessRefused<T>(
  asking: Promise<T>,
  isRefusal: (word: string) => boolean,
): Promise<T | undefined> {
  try {
    return await asking
  } catch (error) {
    const said = error instanceof client.ResponseBodyError
    if (said && error.status >= 400 && error.status < 429 && isRefusal(error.error)) return undefined
    throw error
  }
}

/** What is not said is granted as it was asked for (RFC 6749, 5.1). */
function isGranted({ scope }: client.TokenEndpointResponse, permissions: readonly string[]): boolean {
  if (scope === undefined) return true
  const said = scope.toLowerCase().split(' ')
  return permissions.some((permission) => said.includes(permission))
}

function granted(tokens: client.TokenEndpointResponse): GrantedTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = tokens
  for (const token of [accessToken, refreshToken ?? 'none'])
    if (!TOKEN.test(token)) throw new Error('the answer holds no token that could be used')
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresInSeconds: countOf(expiresIn, EXPIRES_SECONDS_MAX) ?? null,
  }
}

/** An error of the OAuth library by its words alone: messages of parsers quote what they could not read, which may be a token. */
export function withoutAnswer(error: unknown): Error {
  const { code, name, error: word } = error as { code?: unknown; name?: unknown; error?: unknown }
  const said = [name, code, word].filter((part) => typeof part === 'string' && /^[\w.-]{1,64}$/.test(part))
  return new Error(said.join(' ') || 'unknown')
}
