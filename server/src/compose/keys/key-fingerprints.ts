import { scryptSync } from 'node:crypto'
import type { Config } from '../../configuration/config.ts'
import type { RotatingSecret, Secret } from '../../platform/secrets/secret.ts'

/** What is lost where a key is another one. */
export const LOST_WITH_KEY: Readonly<Record<string, string>> = {
  SECRET_KEY:
    'secrets of single sign-on, connected calendars, invite links, codes and mails under way cannot be opened',
  CHAT_TOKEN_SECRET: 'chat tokens that are out are void, for an hour at most',
  BROKER_TOKEN_SECRET: 'realtime tokens that are out are void, for an hour at most',
}

/** Keys by setting: the one in use, and those that still open what they have sealed. */
function keysOf(config: Config): Record<string, readonly Secret[]> {
  const all = ({ current, previous, next }: RotatingSecret) => [current, ...previous, ...next]
  return {
    SECRET_KEY: all(config.secretKeys),
    CHAT_TOKEN_SECRET: all(config.chatTokenSecrets),
    BROKER_TOKEN_SECRET: all(config.broker.tokenSecrets),
  }
}

/** What tells keys apart, and tells nothing of them: of those in use, by setting. */
export function keyFingerprints(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keysOf(config)).map(([setting, [current]]) => [
      setting,
      fingerprint(setting, current as Secret),
    ]),
  )
}

/** Settings with a key of that time that this configuration does not know. */
export function unknownKeys(config: Config, fingerprints: Readonly<Record<string, string>>): string[] {
  return Object.entries(keysOf(config))
    .filter(([setting, keys]) => {
      const then = fingerprints[setting]
      return then !== undefined && !keys.some((key) => fingerprint(setting, key) === then)
    })
    .map(([setting]) => setting)
}

/** Slow on purpose: a key that is a poor one is not found out by its fingerprint soon. */
function fingerprint(setting: string, key: Secret): string {
  return scryptSync(key.reveal(), `atrium/fingerprint/${setting}`, 8, {
    N: 2 ** 15,
    maxmem: 64 * 1024 * 1024,
  }).toString('hex')
}
