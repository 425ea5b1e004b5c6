import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { type Bytes, joined, toBytes, toText } from './bytes.ts'

/** A pair of keys: no script can read the private half. */
export interface KeyPair {
  /** X25519, its 32 bytes as base64url. */
  publicKey: string
  pair: CryptoKeyPair
}

/** What a box holds, and who sealed it. */
export interface Opened {
  sender: string
  content: Bytes
}

/** RFC 9180, appendix A.1. */
export const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes128Gcm(),
})

const KEY_BYTES = 32
/** Of a later form of boxes older clients can open none. */
const FORM = 1

/** Rejects where the browser has no X25519. */
export async function newKeyPair(): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey({ name: 'X25519' }, false, ['deriveBits'])) as CryptoKeyPair
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey)
  return { publicKey: toText(new Uint8Array(raw)), pair }
}

/**
 * Seals for one recipient in the mode that proves the sender (RFC 9180, 5.1.3): otherwise everybody who knows the
 * recipient's public key, the office first, could seal a key of their own.
 * @param about what both sides have to mean by it
 */
export async function sealBox(
  sender: KeyPair,
  recipient: string,
  content: Uint8Array,
  about: string,
): Promise<string> {
  const { enc, ct } = await suite.seal(
    { recipientPublicKey: await importPublic(recipient), senderKey: sender.pair, info: infoOf(about) },
    content,
  )
  const from = toBytes(sender.publicKey) ?? new Uint8Array()
  return toText(joined(Uint8Array.of(FORM), from, new Uint8Array(enc), new Uint8Array(ct)))
}

/** Whether a box can be sealed to that key: to a point of low order none can, and every client finds the same. */
export async function canSealTo(publicKey: string): Promise<boolean> {
  try {
    await suite.createSenderContext({ recipientPublicKey: await importPublic(publicKey) })
    return true
  } catch {
    return false
  }
}

/** @returns undefined for what was not sealed to this pair, about that, by the sender whom it names */
export async function openBox(recipient: KeyPair, box: string, about: string): Promise<Opened | undefined> {
  const bytes = toBytes(box)
  if (!bytes || bytes[0] !== FORM || bytes.length <= 1 + 2 * KEY_BYTES) return undefined
  const sender = toText(bytes.subarray(1, 1 + KEY_BYTES))
  try {
    const content = await suite.open(
      {
        recipientKey: recipient.pair,
        senderPublicKey: await importPublic(sender),
        enc: bytes.slice(1 + KEY_BYTES, 1 + 2 * KEY_BYTES),
        info: infoOf(about),
      },
      bytes.slice(1 + 2 * KEY_BYTES),
    )
    return { sender, content: new Uint8Array(content) }
  } catch {
    return undefined
  }
}

async function importPublic(publicKey: string): Promise<CryptoKey> {
  return await suite.kem.deserializePublicKey(toBytes(publicKey) ?? new Uint8Array())
}

function infoOf(about: string): Bytes {
  return new TextEncoder().encode(`atrium sealed room 1\n${about}`)
}
