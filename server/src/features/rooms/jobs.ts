import { findMember } from '../../directory/members.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseRoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort } from '../../ports/media.ts'
import {
  type Departure,
  deleteDeparture,
  listDepartures,
  listRoomsToClose,
  markClosed,
  postponeDeparture,
} from './departure-store.ts'
import { isConnectionOf } from './rules.ts'
import { roomsAmong } from './store.ts'

export interface RoomJobNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  media: Pick<MediaPort, 'rooms' | 'participants' | 'remove' | 'closeRoom'>
}

const EVERY_MS = 2_000
const BATCH = 100
/** A token of before may bring them back while it lives. */
const AGAIN_SECONDS = 20

/** Puts those who have left an organization out of its rooms, and closes the rooms of deleted organizations. */
export function roomJobs(needs: RoomJobNeeds): Job[] {
  return [
    {
      name: 'clear-rooms',
      everyMs: EVERY_MS,
      async run(signal) {
        try {
          await closeRooms(needs, signal)
          await putOutDeparted(needs, signal)
        } catch (err) {
          needs.log.warn({ err }, 'rooms could not be cleared; it is tried again')
        }
      },
    },
  ]
}

async function closeRooms({ db, media }: RoomJobNeeds, signal: AbortSignal): Promise<void> {
  for (const room of await listRoomsToClose(db, BATCH)) {
    if (signal.aborted) return
    await media.closeRoom(room)
    await markClosed(db, room)
  }
}

async function putOutDeparted(needs: RoomJobNeeds, signal: AbortSignal): Promise<void> {
  const { db, clock, media } = needs
  const now = clock.now()
  const departures = await listDepartures(db, now, BATCH)
  if (departures.length === 0) return
  const live = (await media.rooms()).map(({ name }) => parseRoomId(name)).filter((id) => id !== undefined)
  for (const [organization, gone] of Map.groupBy(departures, (one) => one.organization)) {
    if (signal.aborted) return
    const out: Departure[] = []
    for (const departure of gone) {
      if (await findMember(db, organization, departure.user)) await deleteDeparture(db, departure)
      else out.push(departure)
    }
    for (const room of await roomsAmong(db, organization, live)) await clearRoom(needs, room, out)
    for (const departure of out) {
      if (departure.until <= now) await deleteDeparture(db, departure)
      else await postponeDeparture(db, departure, secondsAfter(now, AGAIN_SECONDS))
    }
  }
}

async function clearRoom(
  { media }: RoomJobNeeds,
  room: Parameters<MediaPort['remove']>[0],
  out: readonly Departure[],
): Promise<void> {
  if (out.length === 0) return
  for (const { identity } of await media.participants(room)) {
    if (out.some(({ user }) => isConnectionOf(identity, user))) await media.remove(room, identity)
  }
}
