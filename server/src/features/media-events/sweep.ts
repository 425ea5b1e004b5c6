import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseRoomId, type RoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { lockSeries } from '../../platform/metrics/series-store.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import type {
  MediaIngress,
  MediaParticipant,
  MediaPort,
  MediaRecording,
  MediaRoom,
} from '../../ports/media.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { findConnection, findIngress, findRecording, findSession, findTrack } from './found.ts'
import { storeToTell } from './inbox.ts'
import { endJob, endRecording, isOver, keyOfIngress } from './job-rules.ts'
import { type KnownRoom, keyOfJob, type Ledger, type MediaJob, touch } from './ledger.ts'
import { storeEffects } from './process.ts'
import { endConnection, endTrack, finishRoom } from './rules.ts'
import { loadLedger, loadOpen, noteWorkers } from './store.ts'

export interface SweepNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  media: Pick<MediaPort, 'rooms' | 'participants' | 'recordings' | 'ingresses'>
  placeOfRoom(db: Db, room: RoomId): Promise<KnownRoom | undefined>
  /** Whether other features have to hear of an event. */
  concernsOthers(event: MediaEvent): boolean
}

/** What the media server has at one moment, of our rooms. */
interface Listing {
  rooms: { place: KnownRoom; room: MediaRoom; participants: MediaParticipant[] }[]
  /** Undefined: it cannot say. */
  recordings: MediaRecording[] | undefined
  ingresses: MediaIngress[] | undefined
  /** Their rooms of ours, by the name of the room. */
  places: Map<string, KnownRoom>
}

/** Rounds in a row in which something is missing before it is over. */
const ROUNDS = 2
const ASKED_AT_ONCE = 8

/**
 * Compares, round by round, what is known with what the media server has: after an outage of ours or a crash of its
 * own, some events never come. What is there and not known is known from now on, and others hear of it as of an event:
 * a guest who came back during an outage is let in, or put out. What is missing twice has ended when it was first
 * missed. Misses are remembered by this process only: a new leader begins to count again.
 */
export function mediaSweep(needs: SweepNeeds): (signal: AbortSignal) => Promise<void> {
  let misses = new Map<string, { rounds: number; since: Date }>()

  return async (signal) => {
    let listing: Listing
    try {
      listing = await takeListing(needs)
    } catch (err) {
      // it cannot say what is there: nothing is missing
      misses = new Map()
      needs.log.warn({ err }, 'media sweep: the media server did not answer')
      return
    }
    if (signal.aborted) return
    const now = needs.clock.now()
    const { still, ended } = await transaction(needs.db, async (tx) => {
      await lockSeries(tx)
      const ledger = await loadLedger(tx, keysOf(listing), await loadOpen(tx))
      const there = listing.rooms.flatMap(({ place, participants }) =>
        participants.map(({ worker }) => ({ place, worker })),
      )
      await noteWorkers(tx, ledger, there)
      const found = noteFound(ledger, listing, now)
      const still = new Map<string, { rounds: number; since: Date }>()
      const gone = (key: string): Date | undefined => {
        const { rounds, since } = misses.get(key) ?? { rounds: 0, since: now }
        still.set(key, { rounds: rounds + 1, since })
        return rounds + 1 >= ROUNDS ? since : undefined
      }
      const ended = await endMissing(needs, tx, ledger, listing, gone)
      await storeEffects(tx, ledger, now)
      await storeToTell(tx, found.filter(needs.concernsOthers), now)
      return { still, ended }
    })
    misses = still
    if (ended > 0) needs.log.info({ ended }, 'media sweep: what the media server no longer has is over')
  }
}

async function takeListing({ media, db, placeOfRoom }: SweepNeeds): Promise<Listing> {
  const listed = await sideBySide(await media.rooms(), ASKED_AT_ONCE, async (room) => {
    const id = parseRoomId(room.name)
    const place = id && (await placeOfRoom(db, id))
    return place && { place, room, participants: await media.participants(room.name) }
  })
  const rooms: Listing['rooms'] = listed.filter((one) => one !== undefined)
  const orUnknown = <T>(answer: Promise<T>) => answer.catch(() => undefined)
  const recordings = await orUnknown(media.recordings())
  const ingresses = await orUnknown(media.ingresses())
  const places = new Map<string, KnownRoom>()
  for (const name of new Set([...(recordings ?? []), ...(ingresses ?? [])].map(({ room }) => room))) {
    const id = parseRoomId(name)
    const place = id && (await placeOfRoom(db, id))
    if (place) places.set(name, place)
  }
  return { rooms, recordings, ingresses, places }
}

function keysOf({ rooms, recordings = [], ingresses = [] }: Listing) {
  const participants = rooms.flatMap((one) => one.participants)
  return {
    rooms: rooms.map(({ room }) => room.sid),
    endingRooms: [],
    connections: participants.map(({ sid }) => sid),
    endingConnections: [],
    tracks: participants.flatMap(({ tracks }) => tracks.map(({ sid }) => sid)),
    jobs: [
      ...recordings.map(({ egressId }) => egressId),
      ...ingresses.flatMap((ingress) => [keyOfIngress(ingress), ingress.ingressId]),
    ],
    endingIngresses: [],
  }
}

/** @returns the arrivals of those of whom no event has told */
function noteFound(ledger: Ledger, listing: Listing, now: Date): MediaEvent[] {
  const { rooms, recordings = [], ingresses = [], places } = listing
  for (const recording of recordings) {
    const place = places.get(recording.room)
    if (place) findRecording(ledger, place, recording, now)
  }
  for (const ingress of ingresses) {
    const place = places.get(ingress.room)
    if (place) findIngress(ledger, place, ingress, now)
  }
  const arrivals: MediaEvent[] = []
  for (const { place, room, participants } of rooms) {
    if (!findSession(ledger, place, room)) continue
    for (const participant of participants) {
      if (!participant.active) continue
      if (!ledger.connections.get(participant.sid)) arrivals.push(arrivalOf(room, participant))
      const connection = findConnection(ledger, place, room, participant)
      if (!connection) continue
      for (const track of participant.tracks) findTrack(ledger, place, connection, track, now)
    }
  }
  return arrivals
}

function arrivalOf(room: MediaRoom, participant: MediaParticipant): MediaEvent {
  return {
    id: `found ${participant.sid}`,
    at: participant.joinedAt,
    kind: 'participant_joined',
    room,
    participant,
  }
}

/** @param gone since when something that is missing is over; undefined: it may still come back */
async function endMissing(
  needs: SweepNeeds,
  db: Db,
  ledger: Ledger,
  listing: Listing,
  gone: (key: string) => Date | undefined,
): Promise<number> {
  const there = sidsOf(listing)
  let ended = 0
  const touched = async (roomId: RoomId) => {
    const place = await needs.placeOfRoom(db, roomId)
    if (!place) return undefined
    touch(ledger, place)
    ended += 1
    return place
  }
  for (const session of [...ledger.rooms.all()]) {
    const since = session.endedAt || there.has(session.sid) ? undefined : gone(session.sid)
    const place = since && (await touched(session.roomId))
    const room = { sid: session.sid, name: session.roomId, startedAt: session.startedAt }
    if (since && place) finishRoom(ledger, place, room, since, { by: 'sweep' })
  }
  for (const connection of [...ledger.connections.all()]) {
    const since = connection.endedAt || there.has(connection.sid) ? undefined : gone(connection.sid)
    const place = since && (await touched(connection.roomId))
    if (since && place) endConnection(ledger, place, connection, since, 'sweep')
  }
  for (const track of [...ledger.tracks.all()]) {
    const since = track.endedAt || there.has(track.sid) ? undefined : gone(track.sid)
    const roomId = since && (ledger.rooms.get(track.roomSid)?.roomId ?? listedRoom(listing, track.roomSid))
    if (!since) continue
    if (roomId) await touched(roomId)
    endTrack(ledger, track, since, 'sweep')
  }
  for (const job of [...ledger.jobs.all()]) {
    if (job.endedAt) continue
    const listed = listing.recordings?.find(({ egressId }) => job.kind === 'egress' && egressId === job.key)
    const over = listed && isOver(listed)
    const since = over ? needs.clock.now() : isMissing(listing, job) ? gone(keyOfJob(job)) : undefined
    const place = since && (await touched(job.roomId))
    if (!since || !place) continue
    if (over) endRecording(ledger, place, listed, listed.endedAt ?? since)
    else endJob(ledger, place, job, { at: since, result: 'aborted' })
  }
  return ended
}

function isMissing({ recordings, ingresses }: Listing, { kind, key }: MediaJob): boolean {
  if (kind === 'egress')
    return recordings !== undefined && !recordings.some(({ egressId }) => egressId === key)
  // its start may not have told when it was
  return ingresses !== undefined && !ingresses.some((one) => [keyOfIngress(one), one.ingressId].includes(key))
}

function sidsOf({ rooms }: Listing): Set<string> {
  const sids = new Set<string>()
  for (const { room, participants } of rooms) {
    sids.add(room.sid)
    for (const { sid, tracks } of participants) {
      sids.add(sid)
      for (const track of tracks) sids.add(track.sid)
    }
  }
  return sids
}

function listedRoom({ rooms }: Listing, sid: string): RoomId | undefined {
  return rooms.find(({ room }) => room.sid === sid)?.place.roomId
}
