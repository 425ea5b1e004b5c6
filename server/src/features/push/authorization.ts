import { createPrivateKey, sign } from 'node:crypto'
import type { SigningPushKey } from './push-keys.ts'

/** Push services take at most a day. */
const GOOD_FOR_SECONDS = 12 * 3_600

/**
 * The header by which a push service knows this office (RFC 8292).
 * @param contact an address of who is to be asked about it: `https:` or `mailto:`
 */
export function authorization(
  { publicKey, privateKey }: SigningPushKey,
  { endpoint, contact, now }: { endpoint: string; contact: string; now: Date },
): string {
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: privateKey },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const expires = Math.floor(now.getTime() / 1_000) + GOOD_FOR_SECONDS
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: contact }
  const said = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${said}.${signature.toString('base64url')}, k=${publicKey}`
}
