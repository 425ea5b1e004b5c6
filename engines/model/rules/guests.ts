import { type Expected, INVITERS, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { rank } from '../organization.ts'
import { type Plan, picked, type Rule, refused } from '../rule.ts'
import type { Device, Guest, GuestLink, Organization } from '../state.ts'
import type { World } from '../world.ts'
import { notHere, roomsOf } from './rooms.ts'

/** Which browser has which place, by which link. */
const places = new WeakMap<Device, Map<GuestLink, Guest>>()
const placesOf = (device: Device) => {
  const known = places.get(device) ?? new Map<GuestLink, Guest>()
  places.set(device, known)
  return known
}

const linksOf = ({ organizations }: World) =>
  organizations.flatMap((organization) => organization.guestLinks.map((link) => ({ organization, link })))
const guestsOf = ({ organizations }: World) =>
  organizations.flatMap((organization) => organization.guests.map((guest) => ({ organization, guest })))
export const hasEnded = (world: World, { isRevoked, expiresAt }: GuestLink) =>
  isRevoked || expiresAt <= world.now()

/** "guestAdmission of the organization (admin by default, moderator, member) may let more." */
export function mayAdmit({ organization, role }: Worker): boolean {
  const least = organization.settings.guestAdmission as 'member' | 'moderator' | 'admin'
  return rank(role) >= rank(least)
}

const invite: Rule = {
  name: 'a link for guests is made',
  written: 'spec, guest/invite; decisions, Guests: made by members and up, of 60 s to 30 days',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    if (!room) return undefined
    const durationSeconds = picked([3_600, 60, 59, 2_592_000, 2_592_001], drawn.other) ?? 3_600
    const isLong = durationSeconds >= 60 && durationSeconds <= 2_592_000
    const unfit = isLong ? undefined : refused(400, 'invalid-input')
    const orgId = caller.organization?.id ?? 'org_none'
    return calling(world, caller, {
      id: 'inviteGuest',
      input: { orgId, roomId: room.id, durationSeconds, allowAll: true },
      says: `makes a link for guests of ${room.name}`,
      expected: refusalFirst(caller, INVITERS) ?? unfit ?? notHere(caller as Worker, room) ?? { status: 201 },
      after({ inviteUrl, inviteId }: { inviteUrl: string; inviteId: string }) {
        const token = new URL(inviteUrl).searchParams.get('invite_token') ?? ''
        ;(caller as Worker).organization.guestLinks.push({
          ...{ id: inviteId, token, room, maker: caller.person, allowAll: true, isRevoked: false },
          expiresAt: world.now() + durationSeconds * 1_000,
        })
      },
    })
  },
}

const ask: Rule = {
  name: 'a guest asks to be let in, or comes back',
  written:
    'spec, guest/room-auth; decisions, Guests: a cookie keeps the place; expired 410, not for the browser of an admitted guest; its room gone 404; a denied one is refused',
  weight: 3,
  plan(world, drawn) {
    const stranger = picked(world.strangers, drawn.who)
    const found = picked(linksOf(world), drawn.one)
    if (!stranger || !found) return undefined
    const { organization, link } = found
    const guestName = picked(['Grace', 'Hedy'], drawn.whom) ?? 'Grace'
    const expected = asked(world, stranger, organization, link)
    if (!expected) return undefined
    return {
      says: `a guest in browser ${drawn.who % 3} asks for ${link.room.name} → ${expected.status}${expected.error ?? ''}`,
      async act() {
        const input = { inviteToken: link.token, guestName }
        const body = await world.ask(stranger, 'authorizeGuest', input, expected)
        if (expected.status !== 200) return
        const { guestIdentity = '' } = body as { guestIdentity?: string }
        if (placesOf(stranger).has(link)) return
        const guest: Guest = { identity: guestIdentity, name: guestName, link, state: 'waiting' }
        placesOf(stranger).set(link, guest)
        organization.guests.push(guest)
      },
    }
  },
}

function asked(
  world: World,
  stranger: Device,
  organization: Organization,
  link: GuestLink,
): Expected | undefined {
  // what becomes of one's place with the organization is not written
  if (organization.isDeleted) return undefined
  if (link.room.isDeleted) return refused(404, 'room-not-found')
  const known = placesOf(stranger).get(link)
  const has = { guestIdentity: known?.identity, state: known?.state }
  // at the door of a locked room they wait anew
  if (known && (mayBeOver(known) || (known.state === 'admitted' && link.room.isLocked))) return undefined
  if (known?.state === 'admitted') return { status: 200, body: has }
  // asked again within a minute of the refusal, or after it: both are words of a refusal
  if (known?.state === 'denied') return undefined
  if (hasEnded(world, link)) return refused(410, 'gone')
  return known ? { status: 200, body: has } : { status: 200, body: { state: 'waiting' } }
}

/** "Until … the room has been empty": at no moment that the model knows. */
function mayBeOver({ state, link, admittedAfter }: Guest): boolean {
  return state === 'admitted' && admittedAfter !== link.room.timesEmpty
}

const preview: Rule = {
  name: 'a guest looks at a link',
  written: 'decisions, Guests: guest/preview; expired or revoked 410, its room gone 404',
  plan(world, drawn) {
    const stranger = picked(world.strangers, drawn.who)
    const found = picked(linksOf(world), drawn.one)
    if (!stranger || !found) return undefined
    const { organization, link } = found
    if (organization.isDeleted || placesOf(stranger).has(link)) return undefined
    const { room, maker } = link
    const organizationName = organization.name
    const works: Expected = hasEnded(world, link)
      ? refused(410, 'gone')
      : { status: 200, body: { organizationName, roomName: room.name, inviterName: maker.displayName } }
    const expected = room.isDeleted ? refused(404, 'room-not-found') : works
    return {
      says: `a guest looks at a link to ${room.name} → ${expected.status}`,
      act: async () =>
        void (await world.ask(stranger, 'previewGuestInvite', { inviteToken: link.token }, expected)),
    }
  },
}

const decide: Rule = {
  name: 'a guest is admitted, or denied',
  written:
    'decisions, Guests: the same decision again 200, the opposite one 409; who may, the organization decides',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const found = picked(guestsOf(world), drawn.one)
    if (!found) return undefined
    const { organization, guest } = found
    const action = drawn.yes ? 'admit' : 'deny'
    const expected = refusalFirst(caller) ?? decided(world, caller as Worker, organization, guest, action)
    if (!expected) return undefined
    return calling(world, caller, {
      id: 'admitGuest',
      input: { roomId: guest.link.room.id, guestIdentity: guest.identity, action },
      says: `${action}s ${guest.name}`,
      expected,
      after() {
        guest.state = action === 'admit' ? 'admitted' : 'denied'
        guest.admittedAfter ??= guest.link.room.timesEmpty
      },
    })
  },
}

function decided(
  world: World,
  caller: Worker,
  organization: Organization,
  guest: Guest,
  action: 'admit' | 'deny',
): Expected | undefined {
  const { room } = guest.link
  if (!mayAdmit(caller)) return refused(403, 'role-not-allowed')
  if (caller.organization !== organization || room.isDeleted) return refused(404, 'room-not-found')
  // into a locked room those who are inside let in; a link that has ended has put out who waited by it
  if (room.isLocked || (guest.state === 'waiting' && hasEnded(world, guest.link))) return undefined
  if (mayBeOver(guest)) return undefined
  const wanted = action === 'admit' ? 'admitted' : 'denied'
  if (guest.state === 'waiting' || guest.state === wanted) return { status: 200, body: { code: 200 } }
  return refused(409, 'already-decided')
}

const endLink: Rule = {
  name: 'a link for guests is revoked',
  written:
    'decisions, Guests: by whoever made it or may admit guests; again 204; another organization’s is 404',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const found = picked(linksOf(world), drawn.one)
    if (!found) return undefined
    const { organization, link } = found
    return calling(world, caller, {
      id: 'revokeGuestInvite',
      input: { inviteId: link.id },
      says: `revokes a link to ${link.room.name}`,
      expected: refusalFirst(caller, INVITERS) ?? ended(caller as Worker, organization, link),
      after() {
        link.isRevoked = true
        // who waits with it is put out
        organization.guests = organization.guests.filter(
          (guest) => guest.link !== link || guest.state !== 'waiting',
        )
      },
    })
  },
}

function ended(caller: Worker, organization: Organization, link: GuestLink): Expected {
  const isTheirs = link.maker === caller.person || mayAdmit(caller)
  if (caller.organization !== organization || link.room.isDeleted)
    return refused(404, 'guest-invite-not-found')
  if (!isTheirs) return { status: 403 }
  return { status: 204 }
}

const write: Rule = {
  name: 'a guest who was admitted writes',
  written:
    'decisions, Guests in the room’s conversation: from admission on, by the cookie of their place, else 401',
  plan(world, drawn): Plan | undefined {
    const stranger = picked(world.strangers, drawn.who)
    const found = picked(linksOf(world), drawn.one)
    if (!stranger || !found || found.organization.isDeleted || found.link.room.isDeleted) return undefined
    const { link } = found
    const known = placesOf(stranger).get(link)
    if (known && mayBeOver(known)) return undefined
    const isIn = known?.state === 'admitted'
    const expected: Expected = isIn ? { status: 204 } : refused(401, 'unauthenticated')
    return {
      says: `a guest in browser ${drawn.who % 3} writes in ${link.room.name} → ${expected.status}`,
      act: async () =>
        void (await world.ask(
          stranger,
          'sendGuestMessage',
          { inviteId: link.id, content: 'Hello' },
          expected,
        )),
    }
  },
}

export const guestRules: readonly Rule[] = [invite, ask, preview, decide, endLink, write]
