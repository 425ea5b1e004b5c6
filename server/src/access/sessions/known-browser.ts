import { timingSafeEqual } from 'node:crypto'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Cookies } from '../../platform/http/cookies.ts'
import { keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'

/** A browser with the keys of its marks. */
export interface KnownBrowser {
  keys: RotatingKey
  cookies: Cookies
}

/**
 * Says which addresses have signed in with a browser before: there, what strangers did with an address does not lock
 * its owner out of codes. It opens nothing by itself.
 */
const COOKIE = 'atrium_known'
const LIFETIME_SECONDS = 180 * DAY_SECONDS
/** Of several people at one browser, the ones who came last. */
const MARKS_MAX = 5
const MARK = /^([0-9a-z]{1,10})\.[\w-]{22}$/

/** Remembers a completed sign-in, first in the list. @param email normalized */
export function rememberBrowser({ keys, cookies }: KnownBrowser, email: string, now: Date): void {
  const others = marksOf(cookies).filter((mark) => !fits(keys, mark, email))
  const mark = markOf(keys.current, email, secondsAfter(now, LIFETIME_SECONDS))
  const value = [mark, ...others].slice(0, MARKS_MAX).join('~')
  cookies.write(COOKIE, value, { maxAgeSeconds: LIFETIME_SECONDS })
}

/** Whether an address has completed a sign-in with this browser within the last 180 days. @param email normalized */
export function isKnownBrowser({ keys, cookies }: KnownBrowser, email: string, now: Date): boolean {
  return marksOf(cookies).some((mark) => fits(keys, mark, email) && expiryOf(mark) > now)
}

function marksOf(cookies: Cookies): string[] {
  const marks = cookies.read(COOKIE)?.split('~', MARKS_MAX) ?? []
  return marks.filter((mark) => MARK.test(mark))
}

/** When it ends, and a keyed hash of that and of the address: the browser keeps no address in clear. */
function markOf(key: Uint8Array, email: string, expiresAt: Date): string {
  const until = Math.floor(expiresAt.getTime() / 1_000).toString(36)
  const hash = keyedHash(key, 'known-browser', email, until).subarray(0, 16)
  return `${until}.${hash.toString('base64url')}`
}

function fits(keys: RotatingKey, mark: string, email: string): boolean {
  const given = Buffer.from(mark)
  return keys.all.some((key) => {
    const expected = Buffer.from(markOf(key, email, expiryOf(mark)))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function expiryOf(mark: string): Date {
  return new Date(Number.parseInt(MARK.exec(mark)?.[1] ?? '0', 36) * 1_000)
}
