import type { Config } from '../../configuration/config.ts'
import { type KeyRing, makeKeyRing } from '../../platform/secrets/sealed-column.ts'
import { deriveKeys, type RotatingKey } from '../../platform/secrets/secret.ts'

type Roots = Pick<Config, 'secretKeys'>

/** The keys of one purpose: seals with SECRET_KEY, and opens what SECRET_KEY_PREVIOUS and SECRET_KEY_NEXT have sealed. */
export function keyRingOf({ secretKeys }: Roots, purpose: string): KeyRing {
  return makeKeyRing(purpose, secretKeys.current, secretKeys.previous, secretKeys.next)
}

/** The same for hashes: made with SECRET_KEY, and known again where another of them has made them. */
export function hashKeysOf({ secretKeys }: Roots, purpose: string): RotatingKey {
  return deriveKeys(secretKeys, purpose)
}
