import { randomUUID } from 'node:crypto'
import { userChannel } from '@atrium/contract/events'
import { listAdmins } from '../../directory/members.ts'
import { findOrganizationById } from '../../directory/organizations.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Tx } from '../../platform/database/database.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import { type Decision, decidersAmong } from './rules.ts'
import type { Guest } from './store.ts'

/** Tells those who may admit that somebody waits. */
export async function announceWaiting(tx: Tx, guest: Guest, now: Date): Promise<void> {
  const data = { guestName: guest.name, since: guest.since.toISOString() }
  await announce(tx, guest, 'guest.waiting', data, now)
}

/** Tells those who may admit what was decided: the first of them has, the others need not. */
export async function announceDecision(tx: Tx, guest: Guest, action: Decision, now: Date): Promise<void> {
  await announce(tx, guest, 'guest.decided', { action }, now)
}

/** Tells those who may admit that somebody does not wait any more. */
export async function announceLeft(tx: Tx, guest: Guest, now: Date): Promise<void> {
  await announce(tx, guest, 'guest.left', {}, now)
}

async function announce(tx: Tx, guest: Guest, type: string, data: object, now: Date): Promise<void> {
  const organization = await findOrganizationById(tx, guest.organization)
  if (!organization) return
  const admins = decidersAmong(await listAdmins(tx, guest.organization), guest)
  await appendEvent(tx, {
    id: randomUUID(),
    type,
    time: now,
    data: { roomId: guest.room, guestIdentity: identityOfGuest(guest.id), ...data },
    channels: admins.map(({ identityId }) => userChannel(organization.identityId, identityId)),
    orderingKey: guest.id,
  })
}
