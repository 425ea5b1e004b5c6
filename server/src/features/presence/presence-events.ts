import { randomUUID } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import type { Colleague } from '../../directory/members/colleagues.ts'
import type { OutboxEvent } from '../../platform/background/outbox.ts'
import { audienceOf, isBusyByMeeting, noteToTell, type Occurrence, type Presence, visible } from './rules.ts'

/** What an occurrence made of a member's presence. */
export interface PresenceChange {
  user: Colleague
  before: Presence
  written: Presence
}

/** What is read for events of changes, once they are written. */
export interface EventFacts {
  /** Of the status that was written. */
  revision: string
  /** See `readEpoch`. */
  epoch: string | undefined
  isInRoom: boolean
  now: Date
}

/** The events of a change, in their order. */
export function eventsOf(change: PresenceChange, occurrence: Occurrence, facts: EventFacts): OutboxEvent[] {
  const { user, before, written } = change
  const { now } = facts
  const status = statusEvent(change, occurrence, facts)
  const events = status ? [status] : []
  if (occurrence.kind === 'removed') return events
  const note = noteToTell(before, written, now)
  if (note)
    events.push(profileEvent(user, { note: note.note, until: note.until?.toISOString() ?? null }, now))
  // in a room they are before the meeting and after it
  if (changesActivity(change) && !facts.isInRoom) {
    const activity = isBusyByMeeting(written) ? 'in-meeting' : null
    events.push(profileEvent(user, { activity, roomId: null }, now))
  }
  return events
}

/** Whether it has to be known who is in a room. */
export function changesActivity({ before, written }: PresenceChange): boolean {
  return isBusyByMeeting(before) !== isBusyByMeeting(written)
}

function statusEvent(
  { user, before, written }: PresenceChange,
  occurrence: Occurrence,
  { revision, epoch, now }: EventFacts,
): OutboxEvent | undefined {
  const audience = audienceOf(before, written, occurrence)
  if (audience === 'nobody') return undefined
  const openly = audience === 'colleagues'
  return {
    // random: an id that counted would show that something happened in between
    id: randomUUID(),
    type: 'status.changed',
    time: now,
    data: { userId: user.identityId, status: visible(written.status) },
    to: openly ? { scope: 'status', user: user.identityId } : { scope: 'user', users: [user.identityId] },
    orderingKey: user.identityId,
    // versions are of one channel: the personal one carries other things too
    ...(openly && epoch !== undefined ? { version: Number(revision), versionEpoch: epoch } : {}),
  }
}

function profileEvent(
  user: Colleague,
  changed: Omit<EventData<'profile.updated'>, 'userId' | 'presenceUserId'>,
  now: Date,
): OutboxEvent {
  return {
    id: randomUUID(),
    type: 'profile.updated',
    time: now,
    data: { userId: user.id, presenceUserId: user.identityId, ...changed },
    to: { scope: 'organization' },
    // the key of everything that triggers of the database tell of this person
    orderingKey: `person:${user.id}`,
  }
}
