import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { comeBackToDoor } from '../../platform/limits/requests-under-way.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { requireSealingKey } from '../../platform/secrets/sealing-key.ts'
import { waitInWords } from '../../platform/wait-sentence.ts'
import type { MediaPort } from '../../ports/media.ts'
import {
  isSealed,
  keepRoom,
  noteToken,
  openRoom,
  programsOfRoom,
  requireNotElsewhere,
} from '../rooms/reads.ts'
import { announceWaiting } from './announce.ts'
import { isDeciderThere } from './deciders-presence.ts'
import { endStay, isKeptOut } from './door.ts'
import { guestCookieName, guestCookieOf, heldPlace, isPlace, placeHash } from './held-place.ts'
import { type GuestInvite, holdInvite } from './invites/invite-store.ts'
import { openInvite, revoked } from './invites/open-invite.ts'
import { ABSENT_AFTER_TOKEN_SECONDS, STAY_SECONDS, stayUntil, tokenSeconds } from './rules.ts'
import {
  countWaiting,
  type Guest,
  insertGuest,
  lockGuestOfCookie,
  releaseCookie,
  renewGuest,
} from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  guestRing: KeyRing
  media: Pick<MediaPort, 'openRoom' | 'closeRoom' | 'mintToken' | 'participants'>
  /** Where clients reach the media server. */
  mediaUrl: string
  limits: Pick<OrganizationLimits, 'of'>
  budgets: Pick<Budgets, 'drawGuest'>
}

interface Asking {
  name: string
  cookie: string
  publicKey: string | null
  most: Waiting
}

/** How many guests wait, or may. */
interface Waiting {
  ofRoom: number
  /** With one link; as a limit, 0: none but that of the room. */
  ofInvite: number
}

const NAME_LENGTHS = { min: 1, max: 100 }

/**
 * Lets a guest wait before a room, or back into it. A browser keeps its identity and place while it waits or is
 * admitted; once admitted, even where the link has ended meanwhile. A reload and a look how things stand draw on no
 * budget; asking does, and asking under another name. A guest who is out and asks again is a new guest: its earlier
 * tokens are worth nothing.
 */
export async function authorizeGuest(
  needs: Needs,
  caller: CallerOf<'authorizeGuest'>,
  input: Input<'authorizeGuest'>,
): Promise<Reply<'authorizeGuest'>> {
  const now = needs.clock.now()
  const place = await heldPlace(needs, caller, input.inviteToken)
  if (!place || isRenamed(place, input.guestName.trim())) await needs.budgets.drawGuest(caller)
  const invite: GuestInvite = await openInvite(needs, input.inviteToken, { now, place })
  const name = requireName(input.guestName, 'guestName', NAME_LENGTHS)
  const cookie = guestCookieOf(caller, invite.id)
  const publicKey = input.publicKey === undefined ? null : requireSealingKey(input.publicKey)
  if (publicKey === null && (await isSealed(needs.db, invite))) throw Refusal.of('key-required')
  // before anything is kept: no guest waits before a room that cannot be opened
  await openRoom(needs, invite.organization, invite.room)
  if (place) {
    const at = { room: invite.room, identity: identityOfGuest(place.id) }
    await requireNotElsewhere(needs.media, at, input.returning)
  }
  await comeBackToDoor()
  const sealed = await noteToken(needs.db, invite, now)
  // sealed since it was looked at
  if (sealed && publicKey === null) throw Refusal.of('key-required')
  const asking = { name, cookie, publicKey, most: mostWaiting(needs, invite) }
  if (place?.state === 'admitted') await leaveIfKeptOut(needs.db, invite, cookie, now)
  const { guest, notice, programs } = await transaction(needs.db, async (tx) => {
    const placed = await takePlace(tx, invite, asking, now)
    const notice = placed.state === 'waiting' ? { told: await isDeciderThere(tx, placed) } : {}
    return { guest: placed, notice, programs: await programsOfRoom(tx, placed, now) }
  })
  const rtcToken = await needs.media.mintToken({
    room: guest.room,
    identity: identityOfGuest(guest.id),
    name: guest.name,
    rights: guest.state === 'admitted' ? 'take-part' : 'wait',
    sealed,
    expiresInSeconds: tokenSeconds(now, guest.expiresAt),
  })
  // an admission reaches no cookie: it has to outlast the link from the beginning, and is worth nothing without a place
  const restSeconds = Math.floor((guest.expiresAt.getTime() - now.getTime()) / 1_000)
  const maxAgeSeconds = Math.max(restSeconds, STAY_SECONDS)
  caller.cookies.write(guestCookieName(invite.id), cookie, { maxAgeSeconds })
  const guestIdentity = identityOfGuest(guest.id)
  const { state } = guest
  return {
    status: 200,
    body: { rtcToken, url: needs.mediaUrl, programs, guestIdentity, inviteId: invite.id, state, ...notice },
  }
}

function mostWaiting({ limits }: Needs, { organization }: GuestInvite): Waiting {
  return {
    ofRoom: limits.of(organization, 'guests-per-room'),
    ofInvite: limits.of(organization, 'guests-per-link'),
  }
}

/** Who was let in under a name keeps it. */
function isRenamed({ state, name: before }: Guest, name: string): boolean {
  return state === 'waiting' && before !== name
}

async function takePlace(tx: Tx, invite: GuestInvite, asking: Asking, now: Date): Promise<Guest> {
  const { name, cookie, publicKey } = asking
  // the room before the link, in the order in which its deletion locks them: neither waits for the other
  await keepRoom(tx, invite.organization, invite.room)
  const works = (await holdInvite(tx, invite)) && invite.expiresAt > now
  const cookieHash = placeHash(invite.id, cookie)
  const absentAt = secondsAfter(now, ABSENT_AFTER_TOKEN_SECONDS)
  const present = await lockGuestOfCookie(tx, invite.id, cookieHash)
  const isIn = present?.state === 'admitted' && isPlace(present, now)
  if (!works && !isIn) throw revoked()
  if (present?.state === 'waiting' || present?.state === 'admitted') {
    const renamed = isRenamed(present, name)
    const expiresAt = isIn ? stayUntil(now, present.expiresAt) : present.expiresAt
    const guest = { ...present, expiresAt, publicKey, name: renamed ? name : present.name }
    await renewGuest(tx, guest, absentAt)
    if (renamed) await announceWaiting(tx, guest, now)
    return guest
  }
  if (present) {
    refuseDenied(present, now)
    await releaseCookie(tx, present.id)
  }
  const waiting = await countWaiting(tx, invite.room, invite.id)
  // the same browser may have taken its place while this call waited for its turn
  if (!present && (await lockGuestOfCookie(tx, invite.id, cookieHash)))
    return await takePlace(tx, invite, asking, now)
  requirePlace(waiting, asking.most)
  const denials = present?.denials ?? 0
  const { organization, room, createdBy: invitedBy, allowAll, allowedAdmins, expiresAt } = invite
  const fresh = {
    id: randomUUID(),
    organization,
    room,
    inviteId: invite.id,
    invitedBy,
    allowAll,
    allowedAdmins,
    expiresAt,
    name,
    publicKey,
    denials,
  }
  const isNew = await insertGuest(tx, { ...fresh, cookieHash, absentAt }, now)
  // the same browser has asked twice at once
  if (!isNew) return await takePlace(tx, invite, asking, now)
  const guest: Guest = { ...fresh, state: 'waiting', since: now, askAgainAt: null, removedAt: null }
  await announceWaiting(tx, guest, now)
  return guest
}

/** A guest whom the door keeps out by now is as one who has left, whatever becomes of what they ask for. */
async function leaveIfKeptOut(db: Db, { id }: GuestInvite, cookie: string, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const present = await lockGuestOfCookie(tx, id, placeHash(id, cookie))
    if (present && (await isKeptOut(tx, present, now))) await endStay(tx, present, now)
  })
}

function refuseDenied({ state, askAgainAt, removedAt }: Guest, now: Date): void {
  if (removedAt) throw Refusal.of('guest-removed')
  if (state !== 'denied' || !askAgainAt || askAgainAt <= now) return
  const retryAfterSeconds = Math.ceil((askAgainAt.getTime() - now.getTime()) / 1_000)
  throw Refusal.of('guest-denied', {
    message: `You were not let in. You can ask again in ${waitInWords(retryAfterSeconds)}`,
    retryAfterSeconds,
  })
}

/** @throws Refusal too-many where as many wait as may, before the room or with the link */
function requirePlace({ ofRoom, ofInvite }: Waiting, most: Waiting): void {
  if (ofRoom >= most.ofRoom) throw tooManyWaiting('outside this room', most.ofRoom)
  if (most.ofInvite > 0 && ofInvite >= most.ofInvite) throw tooManyWaiting('with this link', most.ofInvite)
}

function tooManyWaiting(where: string, limit: number): Refusal {
  return Refusal.of('too-many-waiting', {
    message: `Too many guests are waiting ${where}; try again in a minute`,
    retryAfterSeconds: 60,
    limit,
  })
}
