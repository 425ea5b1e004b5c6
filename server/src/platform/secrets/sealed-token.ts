import { randomUUID } from 'node:crypto'
import { EncryptJWT, errors, type JWEHeaderParameters, type JWTPayload, jwtDecrypt } from 'jose'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Refusal } from '../refusal.ts'
import { type KeyRing, openingKeys } from './sealed-column.ts'

/** What a token is for and what it carries. One constant per kind of link. */
export interface TokenPurpose<Claims> {
  /** Kebab-case. A token of one purpose opens under no other. */
  name: string
  isClaims(value: unknown): value is Claims
}

export interface OpenedToken<Claims> {
  claims: Claims
  /** Unique to this token (`jti`): for tokens of a single use. */
  id: string
  /** Whole seconds, rounded down. */
  issuedAt: Date
  /** Whole seconds. */
  expiresAt: Date
}

const TYPE = 'atrium+jwe'
const ISSUER = 'atrium'
/** Longest token taken from a caller, in characters: it travels in a link. */
const TOKEN_MAX = 4_096

/**
 * An encrypted token (JWE, `dir` + A256GCM) for a link. `expiresAt` is rounded down to whole seconds; `id` is given
 * where something is stored of the link.
 */
export async function sealToken<Claims>(
  ring: KeyRing,
  purpose: TokenPurpose<Claims>,
  claims: NoInfer<Claims>,
  { expiresAt, now, id = randomUUID() }: { expiresAt: Date; now: Date; id?: string },
): Promise<string> {
  // the claims have a member of their own, so that none of theirs can pass for one of ours
  const token = await new EncryptJWT({ claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: ring.current.kid, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(purpose.name)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .encrypt(ring.current.key)
  if (token.length > TOKEN_MAX)
    throw new Error(`a token of ${token.length} characters would not be taken back`)
  return token
}

/**
 * What a token from a caller carries.
 * @param now `whenever`: one that has expired is opened too
 * @throws Refusal `gone` where it was right but has expired; `invalid` where it is not a token of this purpose.
 */
export async function openToken<Claims>(
  ring: KeyRing,
  purpose: TokenPurpose<Claims>,
  token: string,
  now: Date | 'whenever',
): Promise<OpenedToken<Claims>> {
  if (token.length > TOKEN_MAX) throw notAToken(purpose.name)
  // no token has expired at the beginning of time
  const payload = await decrypt(ring, purpose.name, token, now === 'whenever' ? new Date(0) : now)
  if (!Value.Check(Contents, payload) || !purpose.isClaims(payload.claims)) throw notAToken(purpose.name)
  const { claims, jti: id, iat, exp } = payload
  return { claims, id, issuedAt: new Date(iat * 1_000), expiresAt: new Date(exp * 1_000) }
}

const Contents = Type.Object({
  claims: Type.Unknown(),
  jti: Type.String({ minLength: 1 }),
  iat: Type.Number(),
  exp: Type.Number(),
})

async function decrypt(ring: KeyRing, audience: string, token: string, now: Date): Promise<JWTPayload> {
  const keyNamed = ({ kid }: JWEHeaderParameters): Uint8Array => {
    const key = openingKeys(ring).find((candidate) => candidate.kid === kid)?.key
    if (!key) throw notAToken(audience)
    return key
  }
  try {
    const { payload } = await jwtDecrypt(token, keyNamed, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      typ: TYPE,
      issuer: ISSUER,
      audience,
      requiredClaims: ['exp', 'jti'],
      currentDate: now,
    })
    return payload
  } catch (error) {
    // jose looks at the expiry last, so an expired token of another purpose is no token here
    if (error instanceof errors.JWTExpired) throw Refusal.of('gone', { detail: audience })
    throw notAToken(audience, error)
  }
}

function notAToken(purpose: string, cause?: unknown): Refusal {
  return Refusal.of('invalid', { detail: purpose, cause })
}
