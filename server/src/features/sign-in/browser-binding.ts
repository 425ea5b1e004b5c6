import type { Visitor } from '../../access/caller.ts'
import { hashToken, newToken } from '../../platform/secrets/secret.ts'

/** Names the browser that begins a sign-in elsewhere: what comes back works in no other one. */
const BROWSER_COOKIE = 'atrium_browser'
const BROWSER_SECONDS = 10 * 60
const BROWSER_TOKEN = /^brw_[\w-]{43}$/

/** The hash of this browser's name; undefined where it has none, and so has begun nothing. */
export function browserHashOf(visitor: Visitor): Buffer | undefined {
  const token = visitor.cookies.read(BROWSER_COOKIE)
  return token && BROWSER_TOKEN.test(token) ? hashToken(token) : undefined
}

/** Names the browser for the next ten minutes. It keeps the name it has: sign-ins begun in other tabs go on. */
export function nameBrowser(visitor: Visitor): Buffer {
  const present = visitor.cookies.read(BROWSER_COOKIE)
  const token = present && BROWSER_TOKEN.test(present) ? present : newToken('brw')
  visitor.cookies.write(BROWSER_COOKIE, token, { maxAgeSeconds: BROWSER_SECONDS })
  return hashToken(token)
}
