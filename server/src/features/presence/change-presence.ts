import type { Colleague } from '../../directory/members/colleagues.ts'
import type { OrganizationRef } from '../../directory/organizations.ts'
import { appendEvents } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import { roomsOfPeople } from '../media-events/reads.ts'
import { changesActivity, eventsOf, type PresenceChange } from './presence-events.ts'
import { after, type Occurrence, type PresenceRules, type Status } from './rules.ts'
import { deletePresences, lockPresences, readEpoch, type StoredPresence, writePresences } from './store.ts'

export interface ChangeNeeds {
  db: Db
  clock: Clock
  presenceRules: PresenceRules
}

/** So many people of one organization have their changes committed together. */
const BATCH = 100
/** Changes under way at the same time: as many as the background has connections. */
export const PARALLEL_CHANGES = 2

/** A person and their organization. */
export interface PresenceOwner {
  organization: OrganizationRef
  user: Colleague
}

/** What was read before something slow was asked: the change is left out where it no longer holds. */
export type Expected = Pick<StoredPresence, 'status' | 'confirmedAt'>

/** One of those whom an occurrence concerns. */
export interface Concerned {
  user: Colleague
  expected?: Expected
}

interface WrittenChange extends PresenceChange {
  before: StoredPresence
  written: StoredPresence
}

/**
 * Carries an occurrence into the table. Status and event commit together, with the person's row locked: every event
 * tells of a change that happened, in the order of the changes. Answers the true status.
 */
export async function changePresence(
  needs: ChangeNeeds,
  { organization, user }: PresenceOwner,
  occurrence: Occurrence,
  expected?: Expected,
): Promise<Status> {
  const concerned = { user, ...(expected && { expected }) }
  const statuses = await changePresences(needs, organization, occurrence, [concerned])
  return statuses.get(user.id) as Status
}

/** The same for several people of an organization, in one transaction. Answers the true status of each. */
async function changePresences(
  needs: ChangeNeeds,
  organization: OrganizationRef,
  occurrence: Occurrence,
  people: readonly Concerned[],
): Promise<Map<Colleague['id'], Status>> {
  const now = needs.clock.now()
  const present = occurrence.kind === 'chosen' || occurrence.kind === 'connected'
  return await transaction(needs.db, async (tx) => {
    const users = people.map(({ user }) => user.id)
    const stored = await lockPresences(tx, organization.id, users, now)
    const statuses = new Map([...stored].map(([user, { status }]) => [user, status]))
    const changes = people.flatMap(({ user, expected }): WrittenChange[] => {
      const before = stored.get(user.id) as StoredPresence
      if (expected && !isAsExpected(before, expected)) return []
      const changed = after(before, occurrence, needs.presenceRules, now)
      statuses.set(user.id, changed.status)
      return [{ user, before, written: { ...changed, confirmedAt: present ? now : before.confirmedAt } }]
    })
    if (changes.length > 0) await writeAndTell(tx, organization, { occurrence, changes, now })
    return statuses
  })
}

/**
 * Carries an occurrence into the table for many people anywhere, some of one organization in each transaction: few are
 * held up by it, and it is soon done where a whole office loses its network. What has changed since it was read stays.
 * Answers how many were looked at.
 */
export async function changePlaces(
  needs: ChangeNeeds,
  occurrence: Occurrence,
  places: readonly (PresenceOwner & Partial<Expected>)[],
  signal?: AbortSignal,
): Promise<number> {
  let changed = 0
  await sideBySide(batchesOf(places), PARALLEL_CHANGES, async (batch) => {
    const [first] = batch
    if (signal?.aborted || !first) return
    const people = batch.map(({ user, status, confirmedAt }) => {
      return { user, ...(status && confirmedAt && { expected: { status, confirmedAt } }) }
    })
    await changePresences(needs, first.organization, occurrence, people)
    changed += batch.length
  })
  return changed
}

function batchesOf<Place extends PresenceOwner>(places: readonly Place[]): Place[][] {
  const ofOrganizations = Map.groupBy(places, ({ organization }) => organization.id).values()
  return [...ofOrganizations].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / BATCH) }, (_, at) => own.slice(at * BATCH, (at + 1) * BATCH)),
  )
}

function isAsExpected(stored: StoredPresence, expected: Expected): boolean {
  return stored.status === expected.status && stored.confirmedAt.getTime() === expected.confirmedAt.getTime()
}

async function writeAndTell(
  tx: Tx,
  organization: OrganizationRef,
  { occurrence, changes, now }: { occurrence: Occurrence; changes: readonly WrittenChange[]; now: Date },
): Promise<void> {
  const written = new Map(changes.map((change) => [change.user.id, change.written]))
  const revisions = await writePresences(tx, organization.id, written)
  // people who come into a room or leave it meanwhile wait for this row: the last event is the last state
  const moving = changes.filter(changesActivity).map(({ user }) => user.id)
  const rooms = moving.length > 0 ? await roomsOfPeople(tx, organization.id, moving) : undefined
  const isShown = changes.some(({ before, written }) => before.status !== written.status)
  const epoch = isShown ? await readEpoch(tx, organization.id) : undefined
  const events = changes.flatMap((change) => {
    const { id } = change.user
    const facts = { revision: revisions.get(id) ?? '0', epoch, isInRoom: rooms?.has(id) ?? false, now }
    return eventsOf(change, occurrence, facts)
  })
  await appendEvents(tx, organization.identityId, events)
  if (occurrence.kind === 'removed') await deletePresences(tx, organization.id, [...written.keys()])
}
