import { findMember } from '../../directory/members/members.ts'
import { findUserById } from '../../directory/users.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { Again, WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, HOUR_MS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseRoomId, trusted, type UserId } from '../../platform/ids.ts'
import { Type } from '../../platform/schema.ts'
import type { MediaPort } from '../../ports/media.ts'
import { roomsOfPerson } from '../media-events/reads.ts'
import { agentQueue } from './agents/put-out.ts'
import { connectionsTo, endConnectionsOf } from './connections.ts'
import { type Departure, deleteDeparture, listDepartures, prolongDeparture } from './departure-store.ts'
import { purgeDoors } from './doors/door-store.ts'
import { removalQueue } from './doors/put-out.ts'
import { endEmptyTemporaryRooms } from './private/private-store.ts'
import { EMPTY_SECONDS } from './private/temporary-room.ts'
import { isConnectionOf } from './rules.ts'
import { roomsAmong } from './store.ts'

export interface RoomQueueNeeds {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'rooms' | 'participants' | 'remove' | 'closeRoom' | 'rename' | 'dismissWorkers'>
}

export const DEPARTURES_QUEUE = 'room-departures'
export const SESSION_ENDS_QUEUE = 'room-session-ends'
const NAMES_QUEUE = 'room-names'
export const CLOSURES_QUEUE = 'room-closures'
/** A token issued earlier may let them in again while it lives. */
const AGAIN_SECONDS = 20
/** Ten minutes and more, as the trigger has it: the media server gives new tokens to those inside. */
const TOKEN_SECONDS = 15 * 60
const RETRY = { firstSeconds: 2, lastSeconds: AGAIN_SECONDS }

/**
 * Puts those who have left an organization, or have a session that has ended, out of its rooms, and closes the rooms of
 * deleted organizations. The triggers `note_room_departure`, `leave_rooms_with_session` and `close_rooms_of_organization`
 * enqueue: no way out can be forgotten. A new name of a user appears inside rooms too (`rename_in_rooms`).
 */
export function roomQueues(needs: RoomQueueNeeds): WorkQueue[] {
  return [
    agentQueue(needs),
    removalQueue(needs),
    workQueue({
      name: DEPARTURES_QUEUE,
      lanes: { default: 2 },
      retry: RETRY,
      payload: Type.Object({ organization: Type.String() }),
      handle: ({ payload }) => putOutDeparted(needs, trusted.organizationId(payload.organization)),
    }),
    workQueue({
      name: SESSION_ENDS_QUEUE,
      lanes: { default: 2 },
      retry: RETRY,
      payload: Type.Object({ organization: Type.String(), user: Type.String() }),
      async handle({ payload: { organization, user } }) {
        await endConnectionsOf(needs, trusted.organizationId(organization), trusted.userId(user))
      },
    }),
    workQueue({
      name: NAMES_QUEUE,
      lanes: { default: 2 },
      retry: RETRY,
      payload: Type.Object({ organization: Type.String(), user: Type.String() }),
      async handle({ payload: { organization, user } }) {
        await renameInRooms(needs, trusted.organizationId(organization), trusted.userId(user))
      },
    }),
    workQueue({
      name: CLOSURES_QUEUE,
      lanes: { default: 2 },
      retry: RETRY,
      payload: Type.Object({ room: Type.String() }),
      async handle({ payload }) {
        await needs.media.closeRoom(trusted.roomId(payload.room))
      },
    }),
  ]
}

const DOORS_KEPT_SECONDS = 24 * 60 * 60

const TEMPORARY_EVERY_MS = 5_000

/** What was decided at doors is worth minutes, and temporary rooms end a minute after the last person has left. */
export function roomJobs({ db, clock }: Pick<RoomQueueNeeds, 'db' | 'clock'>): Job[] {
  return [
    {
      name: 'end-temporary-rooms',
      everyMs: TEMPORARY_EVERY_MS,
      async run() {
        const now = clock.now()
        await endEmptyTemporaryRooms(db, now, secondsAfter(now, -EMPTY_SECONDS))
      },
    },
    {
      name: 'purge-room-doors',
      everyMs: HOUR_MS,
      run: () => purgeDoors(db, secondsAfter(clock.now(), -DOORS_KEPT_SECONDS)),
    },
  ]
}

/** Calls a user, a bot too, by the name that they have now, by all their connections to rooms of an organization. */
async function renameInRooms(
  { db, media }: RoomQueueNeeds,
  organization: OrganizationId,
  user: UserId,
): Promise<void> {
  const person = await findUserById(db, user)
  if (!person) return
  for (const room of await roomsOfPerson(db, organization, user))
    for (const { identity, name } of await connectionsTo({ db, media }, { organization, room, user }))
      if (name !== person.displayName) await media.rename(room, identity, person.displayName)
}

/** @returns when to look again, while a token of any of them may live */
async function putOutDeparted(
  needs: RoomQueueNeeds,
  organization: OrganizationId,
): Promise<Again | undefined> {
  const { db, clock, media } = needs
  const now = clock.now()
  const out: Departure[] = []
  for (const departure of await listDepartures(db, organization)) {
    if (await findMember(db, organization, departure.user)) await deleteDeparture(db, departure)
    else out.push(departure)
  }
  if (out.length === 0) return undefined
  const live = (await media.rooms()).map(({ name }) => parseRoomId(name)).filter((id) => id !== undefined)
  const found = new Set<Departure>()
  for (const room of await roomsAmong(db, organization, live))
    for (const departure of await clearRoom(needs, room, out)) found.add(departure)
  for (const departure of found) await prolongDeparture(db, departure, secondsAfter(now, TOKEN_SECONDS))
  const over = out.filter((departure) => departure.until <= now && !found.has(departure))
  for (const departure of over) await deleteDeparture(db, departure)
  return over.length < out.length ? { againAt: secondsAfter(now, AGAIN_SECONDS) } : undefined
}

/** @returns who was in it */
async function clearRoom(
  { media }: RoomQueueNeeds,
  room: Parameters<MediaPort['remove']>[0],
  out: readonly Departure[],
): Promise<Departure[]> {
  const found: Departure[] = []
  for (const { identity } of await media.participants(room)) {
    const departure = out.find(({ user }) => isConnectionOf(identity, user))
    if (!departure) continue
    await media.remove(room, identity)
    found.push(departure)
  }
  return found
}
