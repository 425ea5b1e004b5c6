import { SignJWT } from 'jose'

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

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
