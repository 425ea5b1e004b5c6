import * as client from 'openid-client'
import { boundedCache } from '../limits/bounded-cache.ts'
import { boundedFetch, type Fetch } from './outside-fetch.ts'
import { webAddressOf } from './outside-fields.ts'

/** One registration of ours at an issuer. */
export interface IssuerRegistration {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface IssuerNeeds {
  fetch: Fetch
  /** Issuers without https: development and tests only. */
  allowsHttp: boolean
}

/** All that goes outside for one request of a person: they are not kept waiting longer. */
const ANSWER_WITHIN_MS = 5_000
const METADATA_FRESH_MS = 10 * 60_000
/** Of up to 256 KB each. */
const ISSUERS_MAX = 200

/**
 * What the OAuth library needs to talk to an issuer, found out by discovery. Each answer is for one request: all it
 * does together has five seconds. The metadata itself is asked for every ten minutes.
 */
export function knownIssuers(needs: IssuerNeeds) {
  // any administrator of an organization names issuers
  const known = boundedCache<string, { body: string; until: number }>(ISSUERS_MAX)

  return async ({ issuer, clientId, clientSecret }: IssuerRegistration): Promise<client.Configuration> => {
    const bounded = boundedFetch(needs.fetch, AbortSignal.timeout(ANSWER_WITHIN_MS))
    let fetched: string | undefined
    // The library checks the metadata again each time: what it learns from where they came (Entra's issuers that
    // differ by tenant) does not survive being copied.
    const remembering: Fetch = async (url, init) => {
      const kept = known.get(issuer)
      if (kept && kept.until > Date.now()) return metadataAnswer(kept.body)
      const response = await bounded(url, init)
      if (response.status !== 200) return response
      fetched = await response.text()
      return new Response(fetched, { status: 200, headers: response.headers })
    }
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      (server, ...rest) => authenticationFor(server, clientSecret)(server, ...rest),
      {
        execute: needs.allowsHttp ? [client.allowInsecureRequests] : [],
        timeout: ANSWER_WITHIN_MS / 1_000,
        [client.customFetch]: remembering as client.CustomFetch,
      },
    )
    requireAddresses(configuration.serverMetadata(), needs.allowsHttp)
    if (fetched !== undefined) known.set(issuer, { body: fetched, until: Date.now() + METADATA_FRESH_MS })
    configuration[client.customFetch] = bounded as client.CustomFetch
    // The library trusts the connection to the token endpoint; we want the signature too.
    client.enableNonRepudiationChecks(configuration)
    return configuration
  }
}

/** What an issuer must say about itself, and what it may: we or the browsers of people go there. */
const REQUIRED = ['authorization_endpoint', 'token_endpoint'] as const
const OPTIONAL = ['jwks_uri', 'revocation_endpoint', 'userinfo_endpoint', 'end_session_endpoint'] as const

/** @throws Error where an address of an issuer cannot be visited */
function requireAddresses(server: client.ServerMetadata, allowsHttp: boolean): void {
  const present = OPTIONAL.filter((name) => server[name] !== undefined)
  for (const name of [...REQUIRED, ...present])
    if (webAddressOf(server[name], { allowsHttp }) === undefined)
      throw new Error(`the issuer says no usable ${name}`)
}

function metadataAnswer(body: string): Response {
  return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } })
}

function authenticationFor(server: client.ServerMetadata, clientSecret: string): client.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported
  const takesPost =
    !methods || methods.includes('client_secret_post') || !methods.includes('client_secret_basic')
  return takesPost ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret)
}
