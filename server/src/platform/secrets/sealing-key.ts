import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { invalidInput } from '../refusal.ts'

/** Any pair: of what low-order points yield with it, all is zero. */
const { privateKey } = generateKeyPairSync('x25519')

/**
 * Keys of sealed rooms are sealed to it by others: with a point of low order that fails in each of their clients.
 * @param publicKey X25519, its 32 bytes as base64url
 * @returns the same, where it is none
 */
export function requireSealingKey(publicKey: string): string {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: publicKey }, format: 'jwk' })
  try {
    diffieHellman({ privateKey, publicKey: key })
    return publicKey
  } catch {
    throw invalidInput([{ field: 'publicKey', message: 'Enter an X25519 key that can be sealed to' }])
  }
}
