import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * What the office keeps of a secret, made from its SECRET_KEY as the office makes it (platform/secrets): what a benchmark
 * puts into the database is then taken as if people had brought it there.
 */

const keys = new Map<string, Buffer>()

function derivedKey(secretKey: string, purpose: string): Buffer {
  const known = keys.get(`${purpose} ${secretKey}`)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `atrium/${purpose}`, 32))
  keys.set(`${purpose} ${secretKey}`, key)
  return key
}

/** The hash of a short secret. */
export function keyedHash(secretKey: string, purpose: string, ...parts: string[]): Buffer {
  const mac = createHmac('sha256', derivedKey(secretKey, purpose))
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`)
  return mac.digest()
}

/** A sealed value that opens in this context only. */
export function seal(secretKey: string, purpose: string, text: string, context: readonly string[]): Buffer {
  const kid = Buffer.from(derivedKey(secretKey, `${purpose}/kid`).subarray(0, 6).toString('base64url'))
  const header = Buffer.concat([Buffer.from([1, kid.length]), kid])
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secretKey, purpose), nonce, { authTagLength: 16 })
  cipher.setAAD(authenticated(header, context))
  const ciphertext = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()])
}

/** What was sealed. @throws where it was in another context */
export function open(secretKey: string, purpose: string, sealed: Buffer, context: readonly string[]): string {
  const header = sealed.subarray(0, 2 + (sealed[1] ?? 0))
  const nonceEnd = header.length + 12
  const nonce = sealed.subarray(header.length, nonceEnd)
  const decipher = createDecipheriv('aes-256-gcm', derivedKey(secretKey, purpose), nonce, {
    authTagLength: 16,
  })
  decipher.setAAD(authenticated(header, context))
  decipher.setAuthTag(sealed.subarray(-16))
  return decipher.update(sealed.subarray(nonceEnd, -16), undefined, 'utf8') + decipher.final('utf8')
}

function authenticated(header: Uint8Array, context: readonly string[]): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(context))])
}
