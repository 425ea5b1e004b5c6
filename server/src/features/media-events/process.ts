import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { claimsToBeGuest, parseRoomId, type RoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { addToSeries, lockSeries } from '../../platform/metrics/series-store.ts'
import { beginSpan, within } from '../../platform/trace.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { announceOccupancy } from './announce.ts'
import { applyEvent, roomNameOf } from './apply-event.ts'
import { setGauges } from './gauges.ts'
import { listUnprocessed, markProcessed, type Received } from './inbox.ts'
import { keyOfIngress, runOf } from './job-rules.ts'
import { type KnownRoom, keyOfJob, type Ledger, type MediaJob, touch } from './ledger.ts'
import { admitGuest } from './rules.ts'
import { type LedgerKeys, listWaiting, loadLedger, noteWorkers, saveLedger } from './store.ts'

export interface ProcessNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'error'>
  /** The organization of a room; undefined where it is not ours. */
  placeOfRoom(db: Db, room: RoomId): Promise<KnownRoom | undefined>
  /** Identities of the guests of a room who have been let in. */
  admittedGuests(db: Db, room: RoomId): Promise<ReadonlySet<string>>
  /** Whether other features have to hear of an event. */
  concernsOthers(event: MediaEvent): boolean
  /** Seconds from arrival to effect. */
  onProcessed(seconds: number): void
}

const BATCH = 250

/** Works on everything that has come in, in its order. @returns how many events */
export async function processArrivals(needs: ProcessNeeds, signal: AbortSignal): Promise<number> {
  let processed = 0
  for (let size = BATCH; !signal.aborted; ) {
    let count: number
    try {
      count = await processBatch(needs, size)
    } catch (error) {
      if (!isAboutAnEvent(error)) throw error
      if (size === 1) count = await passOver(needs, error)
      else {
        // one of them is the cause: find it alone
        size = 1
        continue
      }
    }
    processed += count
    if (count < size) return processed
    size = Math.min(BATCH, size * 2)
  }
  return processed
}

/** What will fail again for what is in an event: SQLSTATE classes 22 and 23, and faults of our own code. */
function isAboutAnEvent(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string'
    ? /^2[23]...$/.test(code)
    : error instanceof TypeError || error instanceof RangeError
}

/** All effects of a batch, and that it had them, in one transaction: a crash repeats nothing and loses nothing. */
function processBatch(needs: ProcessNeeds, limit: number): Promise<number> {
  return transaction(needs.db, async (tx) => {
    await lockSeries(tx)
    const arrivals = await listUnprocessed(tx, limit)
    if (arrivals.length === 0) return 0
    return await asSteps(arrivals, () => applyArrivals(needs, tx, arrivals))
  })
}

/** Each is a step of its own trace; what they all take is under the first of them. */
async function asSteps<Result>(arrivals: readonly Received[], work: () => Promise<Result>): Promise<Result> {
  const spans = arrivals.flatMap(({ event, traceparent }) => {
    const span =
      traceparent && beginSpan({ name: `media event ${event.kind}`, kind: 'consumer' }, traceparent)
    return span ? [span] : []
  })
  try {
    const result = await within(spans[0], work)
    for (const span of spans) span.end()
    return result
  } catch (error) {
    for (const span of spans) span.end(error)
    throw error
  }
}

async function applyArrivals(needs: ProcessNeeds, tx: Tx, arrivals: readonly Received[]): Promise<number> {
  const ledger = await loadLedger(tx, keysOf(arrivals))
  nameRooms(arrivals, ledger)
  const places = await placesOf(needs, tx, arrivals)
  const admitted = await admittedAmong(needs, tx, arrivals, places)
  const come = arrivals.flatMap(({ event }) =>
    event.kind === 'participant_joined' || event.kind === 'participant_left'
      ? { place: places.get(event.room.name), worker: event.participant.worker }
      : [],
  )
  await noteWorkers(tx, ledger, come)
  for (const arrival of arrivals) {
    const { event } = arrival
    const place = places.get(roomNameOf(event) ?? '')
    const guest = 'participant' in event && place ? `${place.roomId} ${event.participant.identity}` : ''
    applyEvent(ledger, arrival, { place, admitted: admitted.has(guest) })
  }
  const now = needs.clock.now()
  await storeEffects(tx, ledger, now)
  // an event that names no room may still be about a recording of ours that was not heard to start
  const heard = arrivals.filter(
    ({ event }) => roomNameOf(event) === '' || places.has(roomNameOf(event) ?? ''),
  )
  const toTell = heard.filter(({ event }) => needs.concernsOthers(event)).map(({ event }) => event.id)
  await markProcessed(
    tx,
    arrivals.map(({ event }) => event.id),
    toTell,
    now,
  )
  for (const { receivedAt } of arrivals) needs.onProcessed((now.getTime() - receivedAt.getTime()) / 1_000)
  return arrivals.length
}

/** An event that can never be worked on is left behind rather than everything after it. */
function passOver(needs: ProcessNeeds, error: unknown): Promise<number> {
  return transaction(needs.db, async (tx) => {
    const [arrival] = await listUnprocessed(tx, 1)
    if (!arrival) return 0
    needs.log.error(
      { err: error, kind: arrival.event.kind, event: arrival.event.id },
      'a media event was passed over',
    )
    await markProcessed(tx, [arrival.event.id], [], needs.clock.now())
    return 1
  })
}

/** Writes what a piece of work has changed: rows, counters, gauges, and what the organization hears of it. */
export async function storeEffects(tx: Tx, ledger: Ledger, now: Date): Promise<void> {
  await saveLedger(tx, ledger)
  await addToSeries(tx, ledger.tally.rows())
  await setGauges(tx, ledger)
  await announceOccupancy(tx, ledger, now)
}

/** For metrics, a guest joins at the moment of admission. */
export async function countAdmissions(needs: ProcessNeeds): Promise<void> {
  const waiting = await listWaiting(needs.db)
  if (waiting.length === 0) return
  const admitted = new Set<string>()
  for (const room of new Set(waiting.map(({ roomId }) => roomId)))
    for (const identity of await needs.admittedGuests(needs.db, room)) admitted.add(`${room} ${identity}`)
  const letIn = waiting.filter(({ roomId, identity }) => admitted.has(`${roomId} ${identity}`))
  if (letIn.length === 0) return
  await transaction(needs.db, async (tx) => {
    await lockSeries(tx)
    const ledger = await loadLedger(tx, { ...NO_KEYS, connections: letIn.map(({ sid }) => sid) })
    for (const { sid, roomId } of letIn) {
      const connection = ledger.connections.get(sid)
      const place = await needs.placeOfRoom(tx, roomId)
      if (!connection || !place) continue
      touch(ledger, place)
      admitGuest(ledger, place, connection, needs.clock.now())
    }
    await storeEffects(tx, ledger, needs.clock.now())
  })
}

const NO_KEYS: LedgerKeys = {
  rooms: [],
  endingRooms: [],
  connections: [],
  endingConnections: [],
  tracks: [],
  jobs: [],
  endingIngresses: [],
}

/**
 * The end of a recording or of a stream need not say in which room it was: that is where it began. In place: the events
 * have just been read, for us alone.
 */
function nameRooms(arrivals: readonly Received[], ledger: Ledger): void {
  const begun = new Map<string, string>()
  for (const { event } of arrivals) {
    const job = jobIn(event)
    if (!job) continue
    if (job.about.room === '') job.about.room = begun.get(job.name) ?? job.known(ledger)?.roomId ?? ''
    if (job.about.room !== '') begun.set(job.name, job.about.room)
  }
}

interface JobInEvent {
  about: { room: string }
  /** Without regard to its run. */
  name: string
  known(ledger: Ledger): MediaJob | undefined
}

/** The recording or stream that an event is about. */
function jobIn(event: MediaEvent): JobInEvent | undefined {
  if ('recording' in event) {
    const name = keyOfJob({ kind: 'egress', key: event.recording.egressId })
    return { about: event.recording, name, known: ({ jobs }) => jobs.get(name) }
  }
  if ('ingress' in event) {
    const { ingress } = event
    const name = keyOfJob({ kind: 'ingress', key: ingress.ingressId })
    return { about: ingress, name, known: (ledger) => runOf(ledger, ingress) }
  }
  return undefined
}

async function placesOf(
  needs: ProcessNeeds,
  tx: Tx,
  arrivals: readonly Received[],
): Promise<Map<string, KnownRoom>> {
  const places = new Map<string, KnownRoom>()
  for (const name of new Set(arrivals.map(({ event }) => roomNameOf(event)))) {
    const room = name === undefined ? undefined : parseRoomId(name)
    const place = room && (await needs.placeOfRoom(tx, room))
    if (place && name !== undefined) places.set(name, place)
  }
  return places
}

/** Of the guests that events are about, those who have been let in, as `<room> <identity>`. */
async function admittedAmong(
  needs: ProcessNeeds,
  tx: Tx,
  arrivals: readonly Received[],
  places: ReadonlyMap<string, KnownRoom>,
): Promise<Set<string>> {
  const rooms = new Set<RoomId>()
  for (const { event } of arrivals) {
    const place = places.get(roomNameOf(event) ?? '')
    if (place && 'participant' in event && claimsToBeGuest(event.participant.identity))
      rooms.add(place.roomId)
  }
  const admitted = new Set<string>()
  for (const room of rooms)
    for (const identity of await needs.admittedGuests(tx, room)) admitted.add(`${room} ${identity}`)
  return admitted
}

function keysOf(arrivals: readonly Received[]): LedgerKeys {
  const keys = {
    rooms: new Set<string>(),
    endingRooms: new Set<string>(),
    connections: new Set<string>(),
    endingConnections: new Set<string>(),
    tracks: new Set<string>(),
    jobs: new Set<string>(),
    endingIngresses: new Set<string>(),
  }
  for (const { event } of arrivals) {
    if ('room' in event) keys.rooms.add(event.room.sid)
    if (event.kind === 'room_finished') keys.endingRooms.add(event.room.sid)
    if ('participant' in event) keys.connections.add(event.participant.sid)
    if (event.kind === 'participant_left') keys.endingConnections.add(event.participant.sid)
    if ('track' in event) keys.tracks.add(event.track.sid)
    if ('recording' in event) keys.jobs.add(event.recording.egressId)
    if ('ingress' in event) keys.jobs.add(keyOfIngress(event.ingress)).add(event.ingress.ingressId)
    if (event.kind === 'ingress_ended' && !event.ingress.startedAt)
      keys.endingIngresses.add(event.ingress.ingressId)
  }
  return {
    rooms: [...keys.rooms],
    endingRooms: [...keys.endingRooms],
    connections: [...keys.connections],
    endingConnections: [...keys.endingConnections],
    tracks: [...keys.tracks],
    jobs: [...keys.jobs],
    endingIngresses: [...keys.endingIngresses],
  }
}
