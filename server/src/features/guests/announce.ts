import { randomUUID } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import { findMember, listAdmitters } from '../../directory/members/members.ts'
import { findOrganizationById } from '../../directory/organizations.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Tx } from '../../platform/database/database.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { type Decision, decidersAmong } from './rules.ts'
import type { Guest } from './store.ts'

/** Tells members who may admit a guest that it waits, and its inviter where they may not. */
export async function announceWaiting(tx: Tx, guest: Guest, now: Date): Promise<void> {
  const data = { ...placeOf(guest), guestName: guest.name, since: guest.since.toISOString() }
  await announce(tx, guest, { type: 'guest.waiting', data }, now)
  await tellInviter(tx, guest, now)
}

/** So many are named: one is enough to be asked. */
const DECIDERS_NAMED = 10

async function tellInviter(tx: Tx, guest: Guest, now: Date): Promise<void> {
  const admitters = await listAdmitters(tx, guest.organization)
  if (admitters.some(({ id }) => id === guest.invitedBy)) return
  const organization = await findOrganizationById(tx, guest.organization)
  const inviter = await findMember(tx, guest.organization, guest.invitedBy)
  if (!organization || !inviter) return
  const named = decidersAmong(admitters, guest)
    .slice(0, DECIDERS_NAMED)
    .map(({ id }) => id)
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'guest.arrived',
    time: now,
    data: { ...placeOf(guest), guestName: guest.name, deciders: named },
    to: { scope: 'user', users: [inviter.identityId] },
    orderingKey: guest.id,
  })
}

/** Tells those who may admit what was decided: the first of them has, the others need not. */
export async function announceDecision(tx: Tx, guest: Guest, action: Decision, now: Date): Promise<void> {
  await announce(tx, guest, { type: 'guest.decided', data: { ...placeOf(guest), action } }, now)
}

/** Tells members who may admit a guest that it neither waits any more nor is in the room. */
export async function announceLeft(tx: Tx, guest: Guest, now: Date): Promise<void> {
  await announce(tx, guest, { type: 'guest.left', data: placeOf(guest) }, now)
}

type GuestEventName = 'guest.waiting' | 'guest.decided' | 'guest.left'
type GuestEvent = { [Name in GuestEventName]: { type: Name; data: EventData<Name> } }[GuestEventName]

async function announce(tx: Tx, guest: Guest, event: GuestEvent, now: Date): Promise<void> {
  const organization = await findOrganizationById(tx, guest.organization)
  if (!organization) return
  const admins = decidersAmong(await listAdmitters(tx, guest.organization), guest)
  await appendEvent(tx, organization.identityId, {
    ...event,
    id: randomUUID(),
    time: now,
    to: { scope: 'user', users: admins.map(({ identityId }) => identityId) },
    orderingKey: guest.id,
  })
}

function placeOf(guest: Guest): EventData<'guest.left'> {
  return { roomId: guest.room, guestIdentity: identityOfGuest(guest.id) }
}
