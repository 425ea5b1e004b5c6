import type { Visitor } from '../../access/caller.ts'
import { GUEST_COOKIE_PREFIX } from '../../access/sessions/session-rules.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { isUuid, type OrganizationId, trusted } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { openToken } from '../../platform/secrets/sealed-token.ts'
import { hashToken, newToken } from '../../platform/secrets/secret.ts'
import { GUEST_INVITE } from './invites/invite-token.ts'
import { type Guest, readGuestOfCookie } from './store.ts'

const COOKIE_TOKEN = /^gst_[\w-]{43}$/

/** One cookie for each link: a browser may be the guest of several rooms. */
export function guestCookieName(inviteId: string): string {
  return `${GUEST_COOKIE_PREFIX}${inviteId.replaceAll('-', '')}`
}

/** The cookie that a browser has for a link, or a new one. */
export function guestCookieOf({ cookies }: Pick<Visitor, 'cookies'>, inviteId: string): string {
  return presentCookie({ cookies }, inviteId) ?? newToken('gst')
}

/** Of this link alone: the same cookie sent with another link is another place. */
export function placeHash(inviteId: string, cookie: string): Buffer {
  return hashToken(`${inviteId} ${cookie}`)
}

/**
 * The place that a browser has with a link, be the link still good or not: of who waits, until the link ends; of who was
 * admitted, until their stay does. Undefined also where the token is none.
 */
export async function heldPlace(
  { db, guestRing, clock }: { db: Db; guestRing: KeyRing; clock: Clock },
  visitor: Pick<Visitor, 'cookies'>,
  inviteToken: string,
): Promise<Guest | undefined> {
  const inviteId = (await linkOf(guestRing, inviteToken))?.id
  const cookie = inviteId && presentCookie(visitor, inviteId)
  if (!inviteId || !cookie) return undefined
  const guest = await readGuestOfCookie(db, inviteId, placeHash(inviteId, cookie))
  return guest && isPlace(guest, clock.now()) ? guest : undefined
}

/**
 * The guest of a browser who is admitted now, by the link that they came with.
 * @throws Refusal unauthenticated
 */
export async function requireAdmitted(
  needs: { db: Db; clock: Clock },
  visitor: Pick<Visitor, 'cookies'>,
  inviteId: string,
): Promise<Guest> {
  const guest = await findAdmitted(needs, visitor, inviteId)
  if (!guest) throw Refusal.of('unauthenticated', { message: 'You are not in this room' })
  return guest
}

/** As `requireAdmitted`; undefined where they are not. */
export async function findAdmitted(
  { db, clock }: { db: Db; clock: Clock },
  visitor: Pick<Visitor, 'cookies'>,
  inviteId: string,
): Promise<Guest | undefined> {
  const cookie = isUuid(inviteId) ? presentCookie(visitor, inviteId) : undefined
  const guest = cookie ? await readGuestOfCookie(db, inviteId, placeHash(inviteId, cookie)) : undefined
  return guest?.state === 'admitted' && isPlace(guest, clock.now()) ? guest : undefined
}

/** Whether a guest is before the room or in it. */
export function isPlace({ state, expiresAt }: Pick<Guest, 'state' | 'expiresAt'>, now: Date): boolean {
  return (state === 'waiting' || state === 'admitted') && expiresAt > now
}

function presentCookie({ cookies }: Pick<Visitor, 'cookies'>, inviteId: string): string | undefined {
  const present = cookies.read(guestCookieName(inviteId))
  return present && COOKIE_TOKEN.test(present) ? present : undefined
}

/** The link that a token is of, be it still good or not. Undefined where the token is none. */
export async function linkOf(
  ring: KeyRing,
  token: string,
): Promise<{ id: string; organization: OrganizationId } | undefined> {
  try {
    const { id, claims } = await openToken(ring, GUEST_INVITE, token, 'whenever')
    return { id, organization: trusted.organizationId(claims.organization) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
