import { claimsToBeGuest } from '../../platform/ids.ts'
import type {
  MediaIngress,
  MediaParticipant,
  MediaRecording,
  MediaRoom,
  MediaTrack,
} from '../../ports/media.ts'
import { runOf, startIngress, startRecording } from './job-rules.ts'
import { type Connection, type KnownRoom, keyOfJob, type Ledger, touch } from './ledger.ts'
import { joinRoom, openSession, publishTrack } from './rules.ts'

/**
 * What the media server's lists show. What an event has ended stays over, for the list may be older than the event;
 * what only the sweep had ended is there again.
 */

/** @returns whether the session is open */
export function findSession(ledger: Ledger, place: KnownRoom, room: MediaRoom): boolean {
  const known = ledger.rooms.get(room.sid)
  const session = known ?? openSession(ledger, place, room, room.startedAt)
  if (!known) touch(ledger, place)
  if (session.endedBy === 'sweep') {
    ledger.rooms.put(Object.assign(session, { endedAt: null, endedBy: null }))
    touch(ledger, place)
  }
  return session.endedAt === null
}

/** @returns the connection where it is open */
export function findConnection(
  ledger: Ledger,
  place: KnownRoom,
  room: MediaRoom,
  participant: MediaParticipant,
): Connection | undefined {
  const known = ledger.connections.get(participant.sid)
  if (!known) {
    // a participant who may publish does not wait
    const admitted = participant.mayPublish && claimsToBeGuest(participant.identity)
    joinRoom(ledger, place, { room, participant }, participant.joinedAt, admitted)
    touch(ledger, place)
    return ledger.connections.get(participant.sid)
  }
  if (known.endedBy === 'sweep') {
    ledger.connections.put(Object.assign(known, { endedAt: null, endedBy: null, seconds: null }))
    touch(ledger, place)
  }
  return known.endedAt ? undefined : known
}

export function findTrack(
  ledger: Ledger,
  place: KnownRoom,
  connection: Connection,
  track: MediaTrack,
  now: Date,
): void {
  const known = ledger.tracks.get(track.sid)
  if (known && known.endedBy !== 'sweep') return
  touch(ledger, place)
  if (known) ledger.tracks.put(Object.assign(known, { endedAt: null, endedBy: null }))
  else {
    const room = { sid: connection.roomSid, name: connection.roomId, startedAt: undefined }
    publishTrack(ledger, place, { room, participant: connection, track }, now)
  }
}

/** A recording, also one that is over: it ends like one of which it is missed. */
export function findRecording(ledger: Ledger, place: KnownRoom, recording: MediaRecording, now: Date): void {
  if (ledger.jobs.get(keyOfJob({ kind: 'egress', key: recording.egressId }))) return
  touch(ledger, place)
  startRecording(ledger, place, recording, recording.updatedAt ?? now)
}

export function findIngress(ledger: Ledger, place: KnownRoom, listed: MediaIngress, now: Date): void {
  const ingress = { ...listed, endedAt: undefined, error: undefined }
  if (runOf(ledger, ingress)) return
  touch(ledger, place)
  startIngress(ledger, place, ingress, now)
}
