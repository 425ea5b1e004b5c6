import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, type Secret } from './secret.ts'

/** The keys of one purpose: everything new is sealed with `current`, all of them open. */
export interface KeyRing {
  current: SealingKey
  /** What they have sealed is to be sealed again. */
  previous: readonly SealingKey[]
  /** Other nodes seal with them already: what they have sealed stays as it is. */
  next: readonly SealingKey[]
}

export interface SealingKey {
  /** Names the key inside what it sealed. Derived from the secret, gives nothing of it away. */
  kid: string
  /** 256 bits. */
  key: Uint8Array
}

/** What a sealed value belongs to: purpose first, then what names the row. It opens in no other context. */
export type SealingContext = readonly [purpose: string, ...row: string[]]

/**
 * A sealed value cannot be opened: unknown key, changed bytes, or another context than it was sealed in.
 * Which of these it was is not told apart, but for the key id, which operators need.
 */
export class UnsealError extends Error {
  constructor(kid: string | undefined) {
    super(`a sealed value could not be opened (key id ${kid ?? 'unreadable'})`)
    this.name = 'UnsealError'
  }
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The key ring of a purpose from the root secrets of the configuration. To rotate, let all nodes know the new secret as
 * `next`, then make it `current` and keep the old one among `previous` until nothing sealed with it is left
 * (`needsReseal`; docs/operations/rotation.md).
 */
export function makeKeyRing(
  purpose: string,
  current: Secret,
  previous: readonly Secret[] = [],
  next: readonly Secret[] = [],
): KeyRing {
  const keyOf = (root: Secret): SealingKey => ({
    kid: Buffer.from(deriveKey(root, `${purpose}/kid`).subarray(0, 6)).toString('base64url'),
    key: deriveKey(root, purpose),
  })
  return { current: keyOf(current), previous: previous.map(keyOf), next: next.map(keyOf) }
}

/** Every key that opens. */
export function openingKeys({ current, previous, next }: KeyRing): SealingKey[] {
  return [current, ...previous, ...next]
}

/** Encrypts with AES-256-GCM. Answers `version | length of kid | kid | nonce | ciphertext | tag`. */
export function seal(ring: KeyRing, plaintext: Uint8Array | string, context: SealingContext): Buffer {
  const kid = Buffer.from(ring.current.kid)
  const header = Buffer.concat([Buffer.from([VERSION, kid.length]), kid])
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', ring.current.key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(authenticated(header, context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()])
}

/** The bytes that were sealed. @throws UnsealError */
export function open(ring: KeyRing, sealed: Uint8Array, context: SealingContext): Buffer {
  const parts = split(sealed)
  const key = parts && openingKeys(ring).find(({ kid }) => kid === parts.kid)?.key
  if (!parts || !key) throw new UnsealError(parts?.kid)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, parts.nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(authenticated(parts.header, context))
    decipher.setAuthTag(parts.tag)
    return Buffer.concat([decipher.update(parts.ciphertext), decipher.final()])
  } catch {
    throw new UnsealError(parts.kid)
  }
}

/** The same; undefined where no key of ours opens it. */
export function openOrNothing(
  ring: KeyRing,
  sealed: Uint8Array,
  context: SealingContext,
): Buffer | undefined {
  try {
    return open(ring, sealed, context)
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

/**
 * True where the value is sealed with a former key: open it and seal it again when convenient. False for a key that
 * other nodes use already, or an unknown one.
 */
export function needsReseal(ring: KeyRing, sealed: Uint8Array): boolean {
  const kid = split(sealed)?.kid
  return ring.previous.some((key) => key.kid === kid)
}

/** Opens what belongs to one context and seals it with the current key. @throws UnsealError */
export function reseal(ring: KeyRing, sealed: Uint8Array, context: SealingContext): Buffer {
  return seal(ring, open(ring, sealed, context), context)
}

function split(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const [version, kidLength] = bytes
  if (version !== VERSION || !kidLength || !/^[\w-]+$/.test(bytes.toString('latin1', 2, 2 + kidLength)))
    return undefined
  const nonceAt = 2 + kidLength
  const tagAt = bytes.length - TAG_BYTES
  if (tagAt < nonceAt + NONCE_BYTES) return undefined
  return {
    kid: bytes.toString('latin1', 2, nonceAt),
    header: bytes.subarray(0, nonceAt),
    nonce: bytes.subarray(nonceAt, nonceAt + NONCE_BYTES),
    ciphertext: bytes.subarray(nonceAt + NONCE_BYTES, tagAt),
    tag: bytes.subarray(tagAt),
  }
}

// The header is bound too, and JSON keeps the parts of the context from running into each other.
function authenticated(header: Uint8Array, context: SealingContext): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(context))])
}
