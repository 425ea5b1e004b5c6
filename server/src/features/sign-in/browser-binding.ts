import type { Visitor } from '../../access/caller.ts'
import { hashToken, newToken } from '../../platform/secrets/secret.ts'

/** Names the browser that begins a sign-in elsewhere: what comes back works in no other one. */
const BROWSER_COOKIE = 'atrium_browser'
const BROWSER_SECONDS = 10 * 60
const BROWSER_TOKEN = /^brw_[\w-]{43}$/

/**
 * The hash of the name under which this browser has begun something; undefined where it has none, and so has begun
 * nothing.
 * @param begun what names it from one request to the next: the state, the code of ours, the address of a mailed code
 */
export function browserHashOf(visitor: Visitor, begun: string): Buffer | undefined {
  const token = nameIn(visitor, cookieOf(begun)) ?? nameIn(visitor, BROWSER_COOKIE)
  return token === undefined ? undefined : hashToken(token)
}

/**
 * Names the browser for the next ten minutes. It keeps the name it has: sign-ins begun in other tabs go on. Of two tabs
 * that begin at once in a browser without one, it keeps the name of the later answer: so the first is kept for what was
 * begun under it as well.
 */
export function nameBrowser(visitor: Visitor, begun: string): Buffer {
  const own = nameIn(visitor, cookieOf(begun))
  const present = own ?? nameIn(visitor, BROWSER_COOKIE)
  const token = present ?? newToken('brw')
  if (own === undefined) write(visitor, BROWSER_COOKIE, token)
  if (own !== undefined || present === undefined) write(visitor, cookieOf(begun), token)
  return hashToken(token)
}

/** What was begun goes on under another name from one request to the next. */
export function renameBegun(visitor: Visitor, from: string, to: string): void {
  const token = nameIn(visitor, cookieOf(from))
  if (token === undefined) return
  visitor.cookies.remove(cookieOf(from))
  write(visitor, cookieOf(to), token)
}

function write(visitor: Visitor, cookie: string, token: string): void {
  visitor.cookies.write(cookie, token, { maxAgeSeconds: BROWSER_SECONDS })
}

function nameIn(visitor: Visitor, cookie: string): string | undefined {
  const token = visitor.cookies.read(cookie)
  return token && BROWSER_TOKEN.test(token) ? token : undefined
}

function cookieOf(begun: string): string {
  return `${BROWSER_COOKIE}_${hashToken(begun).toString('hex', 0, 8)}`
}
