import * as client from 'openid-client'
import { withoutAnswer } from '../../platform/outside/delegated-access.ts'
import { fieldsOf } from '../../platform/outside/outside-fields.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { addressIn, type Claims } from './asserted-identity.ts'

const ADDRESS = ['email', 'email_verified'] as const
const NAME = ['given_name', 'family_name', 'name'] as const
/** It has answered, and says no: 429 asks for patience. */
const WITHHELD_BELOW = 429

type Said = Readonly<Record<string, unknown>>

/**
 * The claims of an id token with what it lacks, as the same issuer says it of the same subject at its userinfo
 * endpoint: with the code flow many an issuer gives the e-mail address there alone. Claims about an address are taken
 * from the place that gave it.
 * @throws Error of the OAuth library where the issuer speaks of another subject
 * @throws ProviderFailure where the issuer does not answer, and there is no address without it
 */
export async function withUserinfo(
  issuer: client.Configuration,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  if (!isLacking(claims) || !issuer.serverMetadata().userinfo_endpoint) return claims
  const said = await askOf(issuer, accessToken, claims)
  return said ? { ...claims, ...addressOf(claims, said), ...nameOf(claims, said) } : claims
}

function isLacking(claims: Said): boolean {
  return !hasAddress(claims) || claims.email_verified === undefined || !hasName(claims)
}

function hasAddress(claims: Said): boolean {
  return addressIn(claims) !== ''
}

function hasName(claims: Said): boolean {
  return NAME.some((part) => claims[part] !== undefined)
}

/** Undefined where it says nothing, and owes nothing. */
async function askOf(
  issuer: client.Configuration,
  accessToken: string,
  claims: Claims,
): Promise<Said | undefined> {
  try {
    const said: Said = fieldsOf(await client.fetchUserInfo(issuer, accessToken, claims.sub))
    if (said.iss !== undefined && said.iss !== claims.iss) throw new AnotherIssuer()
    return said
  } catch (error) {
    if (isOfAnother(error)) throw error
    if (hasAddress(claims) || isWithheld(error)) return undefined
    throw new ProviderFailure('issuer', 'userinfo', { retryable: true, cause: withoutAnswer(error) })
  }
}

/** Its code is one of those that the OAuth library refuses by. */
class AnotherIssuer extends Error {
  readonly code = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
}

function isOfAnother(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
}

function isWithheld(error: unknown): boolean {
  const { status, cause } = error as { status?: unknown; cause?: unknown }
  const answered = status ?? (cause instanceof Response ? cause.status : undefined)
  return typeof answered === 'number' && answered >= 400 && answered < WITHHELD_BELOW
}

function addressOf(claims: Said, said: Said): Said {
  if (!hasAddress(claims)) return partOf(said, ADDRESS)
  const same = claims.email_verified === undefined && said.email === claims.email
  return same ? partOf(said, ['email_verified']) : {}
}

function nameOf(claims: Said, said: Said): Said {
  return hasName(claims) ? {} : partOf(said, NAME)
}

function partOf(said: Said, names: readonly string[]): Said {
  return Object.fromEntries(names.map((name) => [name, said[name]]))
}
