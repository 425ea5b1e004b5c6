import { randomUUID } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import type { Colleague } from '../../directory/members/colleagues.ts'
import type { OrganizationRef } from '../../directory/organizations.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { roomsOfPeople } from '../media-events/reads.ts'
import {
  after,
  audienceOf,
  isBusyByMeeting,
  noteToTell,
  type Occurrence,
  type PresenceRules,
  type Status,
  visible,
} from './rules.ts'
import { deletePresence, lockPresence, readEpoch, type StoredPresence, writePresence } from './store.ts'

export interface ChangeNeeds {
  db: Db
  clock: Clock
  presenceRules: PresenceRules
}

/** Whose presence, and where. */
export interface PresenceOwner {
  organization: OrganizationRef
  user: Colleague
}

/** What was read before something slow was asked: the change is left out where it no longer holds. */
export type Expected = Pick<StoredPresence, 'status' | 'confirmedAt'>

/**
 * Carries an occurrence into the table. Status and event commit together, with the person's row locked: every event
 * tells of a change that happened, in the order of the changes. Answers the true status.
 */
export async function changePresence(
  needs: ChangeNeeds,
  place: PresenceOwner,
  occurrence: Occurrence,
  expected?: Expected,
): Promise<Status> {
  const now = needs.clock.now()
  return await transaction(needs.db, async (tx) => {
    const before = await lockPresence(tx, place.organization.id, place.user.id, now)
    if (expected && !isAsExpected(before, expected)) return before.status
    const changed = after(before, occurrence, needs.presenceRules)
    const present = occurrence.kind === 'chosen' || occurrence.kind === 'connected'
    const written = { ...changed, confirmedAt: present ? now : before.confirmedAt }
    const revision = await writePresence(tx, place.organization.id, place.user.id, written)
    const audience = audienceOf(before, changed, occurrence)
    if (audience !== 'nobody') await announce(tx, place, { audience, status: changed.status, revision, now })
    const note = occurrence.kind === 'removed' ? undefined : noteToTell(before, changed, now)
    if (note)
      await announceProfile(tx, place, { note: note.note, until: note.until?.toISOString() ?? null }, now)
    if (occurrence.kind !== 'removed' && isBusyByMeeting(before) !== isBusyByMeeting(changed))
      await announceActivity(tx, place, isBusyByMeeting(changed), now)
    if (occurrence.kind === 'removed') await deletePresence(tx, place.organization.id, place.user.id)
    return changed.status
  })
}

function isAsExpected(stored: StoredPresence, expected: Expected): boolean {
  return stored.status === expected.status && stored.confirmedAt.getTime() === expected.confirmedAt.getTime()
}

async function announce(
  tx: Tx,
  { organization, user }: PresenceOwner,
  change: { audience: 'colleagues' | 'self'; status: Status; revision: string; now: Date },
): Promise<void> {
  const openly = change.audience === 'colleagues'
  const versionEpoch = openly ? await readEpoch(tx, organization.id) : undefined
  await appendEvent(tx, organization.identityId, {
    // random: an id that counted would show that something happened in between
    id: randomUUID(),
    type: 'status.changed',
    time: change.now,
    data: { userId: user.identityId, status: visible(change.status) },
    to: openly ? { scope: 'status', user: user.identityId } : { scope: 'user', users: [user.identityId] },
    orderingKey: user.identityId,
    // versions are of one channel: the personal one carries other things too
    ...(versionEpoch === undefined ? {} : { version: Number(change.revision), versionEpoch }),
  })
}

/** Whoever comes into a room or leaves it meanwhile waits for the person's row: what is told last is so. */
async function announceActivity(tx: Tx, place: PresenceOwner, inMeeting: boolean, now: Date): Promise<void> {
  const rooms = await roomsOfPeople(tx, place.organization.id, [place.user.id])
  // in a room they are before the meeting and after it
  if (rooms.size > 0) return
  await announceProfile(tx, place, { activity: inMeeting ? 'in-meeting' : null, roomId: null }, now)
}

async function announceProfile(
  tx: Tx,
  { organization, user }: PresenceOwner,
  changed: Omit<EventData<'profile.updated'>, 'userId' | 'presenceUserId'>,
  now: Date,
): Promise<void> {
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'profile.updated',
    time: now,
    data: { userId: user.id, presenceUserId: user.identityId, ...changed },
    to: { scope: 'organization' },
    // the key of everything that triggers of the database tell of this person
    orderingKey: `person:${user.id}`,
  })
}
