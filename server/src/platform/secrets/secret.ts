import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

/**
 * A secret of the configuration. Cannot be printed by accident: every way of turning it into text answers
 * `[secret]`; only `reveal()` gives the value.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/**
 * A secret that can be changed while nodes run: what is made, is made with `current`; what was made with any of them is
 * taken. So a new one is known to all nodes as `next` before any of them makes something with it.
 */
export interface RotatingSecret {
  current: Secret
  /** Made what is still about; the newest first. */
  previous: readonly Secret[]
  /** Other nodes may use them already. */
  next: readonly Secret[]
}

/** Keys of one purpose, as those of a `RotatingSecret`. */
export interface RotatingKey {
  /** Makes what is new. */
  current: Uint8Array
  /** What any of them has made is taken. `current` comes first. */
  all: readonly Uint8Array[]
}

/** A fresh 256-bit token for a cookie, a link or a one-time code of ours: `<prefix>_<43 characters>`. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** What is stored of a token of 256 random bits: its SHA-256. Not for anything a person could guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A keyed hash, for short secrets that a plain hash would not protect. Parts cannot run into each other. */
export function keyedHash(key: Uint8Array, ...parts: string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`)
  return mac.digest()
}

/** The 256-bit key for one purpose, derived from the root secret (HKDF-SHA-256): purposes never share a key. */
export function deriveKey(root: Secret, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root.reveal(), '', `atrium/${purpose}`, 32))
}

/** The keys for one purpose, of every root secret. */
export function deriveKeys({ current, previous, next }: RotatingSecret, purpose: string): RotatingKey {
  const key = deriveKey(current, purpose)
  return { current: key, all: [key, ...[...previous, ...next].map((root) => deriveKey(root, purpose))] }
}

/** The secrets themselves as keys, for what is shared with another program. */
export function keysOf({ current, previous, next }: RotatingSecret): RotatingKey {
  const bytesOf = (secret: Secret) => new TextEncoder().encode(secret.reveal())
  const key = bytesOf(current)
  return { current: key, all: [key, ...[...previous, ...next].map(bytesOf)] }
}

/**
 * `constantTimeEquals` against one secret, for many questions: what is given is copied beside it and compared, which
 * takes a tenth of hashing it. The time does not depend on where the two differ; of what is given it tells the length.
 */
export function secretCheck(expected: Secret): (text: string) => boolean {
  const wanted = Buffer.from(expected.reveal())
  const copy = Buffer.alloc(wanted.length)
  return (text) => {
    // Nothing is left of what was given before: beside the end of the secret its beginning alone would be the same. And
    // both are always asked: what is done after one answer would tell it.
    copy.fill(0)
    copy.write(text)
    const isSame = timingSafeEqual(copy, wanted)
    const isAsLong = Buffer.byteLength(text) === wanted.length
    return isSame && isAsLong
  }
}

/** Compares two secrets in a time that does not depend on where they differ, nor on their lengths. */
export function constantTimeEquals(value: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(value), hash(expected))
}
