import { ECDH } from 'node:crypto'
import type { Retry } from '../../platform/background/work-queue.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../../platform/clock.ts'
import { mayBePublic } from '../../platform/outside/public-fetch.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { webAddress } from '../../platform/text/unicode.ts'

/** Filled by the trigger function `push_message`, too. */
export const PUSH_QUEUE = 'push'

/** For how long a message is worth telling of. */
export const MESSAGE_SECONDS = DAY_SECONDS

/** Of a push service in trouble. */
export const RETRY: Retry = { firstSeconds: 5, lastSeconds: 10 * 60 }

/** A push service is left in peace for as long as it asks, up to this. */
export const RETRY_AFTER_MAX_SECONDS = HOUR_SECONDS

/** What an answer says: taken, never to be tried again there, the service in trouble, or this one push refused. */
export type Verdict = 'taken' | 'gone' | 'trouble' | 'refused'

/** @param answer undefined: there was none; `not-public`: the address is one of our own network */
export function verdictOf(answer: { status: number } | 'not-public' | undefined): Verdict {
  if (answer === 'not-public') return 'gone'
  const status = answer?.status
  if (status === undefined || status >= 500 || status === 429 || status === 408) return 'trouble'
  if (status >= 200 && status <= 299) return 'taken'
  // 403: it was made under another key
  return [403, 404, 410].includes(status) ? 'gone' : 'refused'
}

/**
 * The address of a push service, as a URL writes it.
 * @param publicOnly whether it has to be one that the internet reaches by https; who stands behind a name is judged when it is called
 * @throws Refusal address-not-public, invalid
 */
export function requireEndpoint(text: string, publicOnly: boolean): string {
  const url = webAddress(text)
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '')
    throw invalidInput([{ field: 'endpoint', message: 'Enter an address such as https://push.example/send' }])
  if (url.username !== '' || url.password !== '')
    throw invalidInput([{ field: 'endpoint', message: 'Enter an address without user name and password' }])
  if (publicOnly && (url.protocol !== 'https:' || !mayBePublic(url.hostname)))
    throw Refusal.of('address-not-public')
  url.hash = ''
  return url.href
}

/** The public key of a browser. @throws Refusal invalid, where it is no point of P-256 */
export function requireBrowserKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64url')
  try {
    ECDH.convertKey(key, 'prime256v1')
  } catch {
    throw invalidInput([
      { field: 'keys.p256dh', message: 'Give the public key of the subscription: a point of P-256' },
    ])
  }
  return key
}
