import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

/**
 * A signed token (JWT, HS256) for another program that shares `key`. `iat` and `exp` are whole seconds; `exp` is
 * rounded down.
 */
export function signToken(
  claims: Readonly<Record<string, unknown>>,
  key: Uint8Array,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(seconds(now))
    .setExpirationTime(seconds(expiresAt))
    .sign(key)
}

/** The claims of a token that `signToken` made with one of these keys for that audience, and that has not expired. */
export async function verifyToken(
  token: string,
  keys: readonly Uint8Array[],
  { now, audience }: { now: Date; audience: string },
): Promise<JWTPayload | 'expired' | 'invalid'> {
  let verdict: JWTPayload | 'expired' | 'invalid' = 'invalid'
  for (const key of keys) {
    verdict = await verifyWith(token, key, { now, audience })
    if (verdict !== 'invalid') return verdict
  }
  return verdict
}

async function verifyWith(
  token: string,
  key: Uint8Array,
  { now, audience }: { now: Date; audience: string },
): Promise<JWTPayload | 'expired' | 'invalid'> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience,
      currentDate: now,
      requiredClaims: ['exp', 'iat'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError) return 'invalid'
    throw error
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
