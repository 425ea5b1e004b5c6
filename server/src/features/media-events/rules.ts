import { claimsToBeGuest, parseConnectionUser } from '../../platform/ids.ts'
import { believedBeginning, heardMoment, lastedSeconds } from '../../platform/timing/lasted.ts'
import type { MediaTrack } from '../../ports/media.ts'
import type { EventParticipant, EventRoom } from '../../ports/media-events.ts'
import {
  type Connection,
  type KnownRoom,
  type Ledger,
  metric,
  ownerOf,
  type PublishedTrack,
  type RoomSession,
  workersIn,
} from './ledger.ts'

/**
 * What each happening does to what is known. Everything is keyed by the SID, which is never used twice, and what has
 * ended stays known as ended: so an event that comes twice, late or in disorder changes nothing that it should not.
 */

export function startRoom(ledger: Ledger, place: KnownRoom, room: EventRoom, at: Date): void {
  const known = ledger.rooms.get(room.sid)
  const session = known ?? newSession(ledger, place, room, at)
  // the same session again: another node of the media server has loaded a stored room
  const again = session.endedAt !== null && at > session.endedAt
  if (again) Object.assign(session, { endedAt: null, endedBy: null, startedAt: at })
  if (session.counted && !again) return
  session.counted = true
  ledger.rooms.put(session)
  ledger.tally.count(metric('rtc_rooms_started_total'), ownerOf(place))
}

export function finishRoom(
  ledger: Ledger,
  place: KnownRoom,
  room: EventRoom,
  at: Date,
  { by = 'event', durationSeconds }: { by?: 'event' | 'sweep'; durationSeconds?: number } = {},
): void {
  const session = ledger.rooms.get(room.sid) ?? newSession(ledger, place, room, at)
  if (session.endedAt !== null) return
  // told late: it has begun again since
  if (wholeSeconds(at) < wholeSeconds(session.startedAt)) return
  ledger.rooms.put(Object.assign(session, { endedAt: at, endedBy: by }))
  const lasting = { told: durationSeconds, since: [room.startedAt, session.startedAt], until: at }
  const seconds = lastedSeconds(lasting) ?? heardMoment(session.counted, session.startedAt, at)
  if (seconds !== undefined)
    ledger.tally.observe(metric('rtc_room_duration_seconds'), ownerOf(place), seconds)
  for (const connection of ledger.connections.all())
    if (connection.roomSid === room.sid && !connection.endedAt)
      endConnection(ledger, place, connection, at, by === 'sweep' ? 'sweep' : 'room')
  for (const track of ledger.tracks.all())
    if (track.roomSid === room.sid) endTrack(ledger, track, at, by === 'sweep' ? 'sweep' : 'room')
}

/** @param admitted whether a guest was let in */
export function joinRoom(
  ledger: Ledger,
  place: KnownRoom,
  { room, participant }: { room: EventRoom; participant: EventParticipant },
  at: Date,
  admitted: boolean,
): void {
  const session = sessionOf(ledger, place, room, at)
  const known = ledger.connections.get(participant.sid)
  const connection = known ?? newConnection(ledger, place, room, participant, at, admitted)
  countSession(ledger, place, connection)
  // the room was over before this was heard of, and so is everything in it
  if (!known && session?.endedAt) endConnection(ledger, place, connection, session.endedAt, 'room')
}

export function leaveRoom(
  ledger: Ledger,
  place: KnownRoom,
  { room, participant }: { room: EventRoom; participant: EventParticipant },
  at: Date,
  admitted: boolean,
): void {
  const connection =
    ledger.connections.get(participant.sid) ?? newConnection(ledger, place, room, participant, at, admitted)
  // what the event says itself goes before what is known; guests count from the moment at which they were let in
  const tellsStay = lastedSeconds({ since: [participant.joinedAt], until: at }) !== undefined
  if (participant.joinedAt && tellsStay && !claimsToBeGuest(connection.identity))
    connection.joinedAt = participant.joinedAt
  if (isConcluded(connection)) correctStay(ledger, connection, at)
  else endConnection(ledger, place, connection, at, 'event')
}

/** That it has ended is a conclusion, from the end of its room or of what was listed. */
function isConcluded({ endedBy }: Connection): boolean {
  return endedBy === 'room' || endedBy === 'sweep'
}

/**
 * The end itself, told after the conclusion: the stay lasted until then. What the metrics were given stays, as they only
 * ever grow.
 */
function correctStay(ledger: Ledger, connection: Connection, at: Date): void {
  const seconds = stayOf(connection, at)
  ledger.connections.put(Object.assign(connection, { endedAt: at, endedBy: 'event', seconds }))
}

/** Null where it does not count, or is not known. */
function stayOf(connection: Connection, until: Date): number | null {
  if (!connection.counts) return null
  const { joinedAt, counted } = connection
  return lastedSeconds({ since: [joinedAt], until }) ?? heardMoment(counted, joinedAt, until) ?? null
}

/** A guest who is in the room has been let in: from now on they count. */
export function admitGuest(ledger: Ledger, place: KnownRoom, connection: Connection, at: Date): void {
  if (!connection.waits || connection.endedAt) return
  ledger.connections.put(Object.assign(connection, { waits: false, counts: true, joinedAt: at }))
  countSession(ledger, place, connection)
}

export function publishTrack(
  ledger: Ledger,
  place: KnownRoom,
  happening: { room: EventRoom; participant: Pick<EventParticipant, 'sid'>; track: MediaTrack },
  at: Date,
): void {
  const { room, participant, track } = happening
  if (ledger.tracks.get(track.sid)) return
  const connection = ledger.connections.get(participant.sid)
  if (connection && !connection.counts) return
  const session = sessionOf(ledger, place, room, at)
  const added = newTrack(ledger, place, happening, at)
  if (connection?.endedAt) endTrack(ledger, added, connection.endedAt, 'participant')
  else if (session?.endedAt) endTrack(ledger, added, session.endedAt, 'room')
}

export function unpublishTrack(
  ledger: Ledger,
  place: KnownRoom,
  happening: { room: EventRoom; participant: Pick<EventParticipant, 'sid'>; track: MediaTrack },
  at: Date,
): void {
  const connection = ledger.connections.get(happening.participant.sid)
  if (connection && !connection.counts) return
  const track = ledger.tracks.get(happening.track.sid) ?? newTrack(ledger, place, happening, at)
  endTrack(ledger, track, at, 'event')
}

export function abortConnection(ledger: Ledger, place: KnownRoom, reason: string): void {
  ledger.tally.count(metric('rtc_connection_aborted_total'), ownerOf(place), { reason })
}

export function endConnection(
  ledger: Ledger,
  place: KnownRoom,
  connection: Connection,
  at: Date,
  by: NonNullable<Connection['endedBy']>,
): void {
  if (connection.endedAt) return
  const seconds = stayOf(connection, at)
  ledger.connections.put(Object.assign(connection, { endedAt: at, endedBy: by, seconds }))
  if (seconds !== null)
    ledger.tally.observe(metric('rtc_participant_lifetime_seconds'), ownerOf(place), seconds)
  for (const track of ledger.tracks.all())
    if (track.participantSid === connection.sid)
      endTrack(ledger, track, at, by === 'sweep' ? 'sweep' : 'participant')
}

export function endTrack(
  ledger: Ledger,
  track: PublishedTrack,
  at: Date,
  by: NonNullable<PublishedTrack['endedBy']>,
): void {
  if (track.endedAt) return
  ledger.tracks.put(Object.assign(track, { endedAt: at, endedBy: by }))
}

/** Durations are never negative: clocks differ, and events know whole seconds only. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000)
}

export function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}

/** An event that does not tell the SID of its room opens none: all such rooms would be one. */
function sessionOf(ledger: Ledger, place: KnownRoom, room: EventRoom, at: Date): RoomSession | undefined {
  return room.sid === '' ? undefined : openSession(ledger, place, room, at)
}

/** Something goes on in a room: it is open, unless it is known to be over. */
export function openSession(ledger: Ledger, place: KnownRoom, room: EventRoom, at: Date): RoomSession {
  return ledger.rooms.get(room.sid) ?? newSession(ledger, place, room, at)
}

function newSession(ledger: Ledger, place: KnownRoom, room: EventRoom, at: Date): RoomSession {
  return ledger.rooms.put({
    sid: room.sid,
    organization: place.organization,
    roomId: place.roomId,
    startedAt: believedBeginning(room.startedAt, at),
    counted: false,
    endedAt: null,
    endedBy: null,
  })
}

function newConnection(
  ledger: Ledger,
  place: KnownRoom,
  room: EventRoom,
  { sid, identity, kind, agent, worker, joinedAt }: EventParticipant,
  at: Date,
  admitted: boolean,
): Connection {
  const person = kind === 'person'
  const ofWorker = worker === undefined ? undefined : ledger.workers.get(workersIn(place, worker))
  const guest = claimsToBeGuest(identity)
  return ledger.connections.put({
    sid,
    organization: place.organization,
    roomSid: room.sid,
    roomId: place.roomId,
    identity,
    userId: person ? (parseConnectionUser(identity) ?? null) : null,
    botId: kind === 'agent' ? (parseConnectionUser(identity) ?? ofWorker ?? null) : null,
    listens: agent?.listens ?? false,
    speaks: agent?.speaks ?? false,
    counts: person && (!guest || admitted),
    apart: place.apart,
    waits: person && guest && !admitted,
    joinedAt: believedBeginning(joinedAt, at),
    counted: false,
    endedAt: null,
    endedBy: null,
    seconds: null,
  })
}

function countSession(ledger: Ledger, place: KnownRoom, connection: Connection): void {
  if (connection.counted || !connection.counts) return
  ledger.connections.put(Object.assign(connection, { counted: true }))
  ledger.tally.count(metric('rtc_participant_sessions_total'), ownerOf(place))
}

function newTrack(
  ledger: Ledger,
  place: KnownRoom,
  { room, participant, track }: { room: EventRoom; participant: { sid: string }; track: MediaTrack },
  at: Date,
): PublishedTrack {
  return ledger.tracks.put({
    sid: track.sid,
    organization: place.organization,
    roomSid: room.sid,
    participantSid: participant.sid,
    source: track.source,
    type: track.type,
    publishedAt: at,
    endedAt: null,
    endedBy: null,
  })
}
