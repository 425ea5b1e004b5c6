import type { Config } from '../configuration/config.ts'
import { type KeyRing, makeKeyRing } from '../platform/secrets/sealed-column.ts'

/** The keys of one purpose: seals with SECRET_KEY, and still opens what SECRET_KEY_PREVIOUS has sealed. */
export function keyRingOf(
  { secretKey, previousSecretKey }: Pick<Config, 'secretKey' | 'previousSecretKey'>,
  purpose: string,
): KeyRing {
  return makeKeyRing(purpose, secretKey, previousSecretKey ? [previousSecretKey] : [])
}
