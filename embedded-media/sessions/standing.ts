import {
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  type UpdateParticipantMetadata,
} from '@livekit/protocol'
import { participantInfo } from '../descriptions.ts'
import type { LeaveReason, Person } from '../messages.ts'
import type { OwnTracks } from '../tracks/own-tracks.ts'
import { describeAnew } from './own-description.ts'
import type { Session, SessionRoom } from './session.ts'
import type { SignalLine } from './signal-line.ts'

/** How a participant stands in the room: what the others are told. */
export interface Standing {
  readonly room: SessionRoom
  readonly session: Session
  readonly line: SignalLine
  person: Person
  state: ParticipantInfo_State
  version: number
  /** Why it has ended. */
  reason: LeaveReason | undefined
}

const COME_BACK_MS = 20_000

export function infoOf({ person, version, state, reason }: Standing, tracks: OwnTracks): ParticipantInfo {
  return participantInfo({
    person,
    version,
    state: reason ? ParticipantInfo_State.DISCONNECTED : state,
    tracks: reason ? [] : tracks.list().map(({ info }) => info),
    ...(reason ? { reason } : {}),
  })
}

/** Tells the participant and the others how it stands now. */
export function changed(standing: Standing): void {
  const { room, session, line } = standing
  standing.version += 1
  line.send({ case: 'update', value: update([session.info()]) })
  room.announce(session)
}

/** Media flows, or may. */
export function connected(standing: Standing): void {
  const { room, line, person } = standing
  if (standing.state === ParticipantInfo_State.ACTIVE) return
  standing.state = ParticipantInfo_State.ACTIVE
  line.stopWaiting()
  room.report({ report: 'active', sid: person.sid })
  changed(standing)
}

/** Its socket broke off. */
export function brokenOff(standing: Standing): void {
  if (standing.state === ParticipantInfo_State.ACTIVE) endAfter(standing, COME_BACK_MS, 'CONNECTION_TIMEOUT')
  else standing.session.end('SIGNAL_CLOSE', { tellClient: false })
}

export function endAfter({ line, session }: Standing, milliseconds: number, why: LeaveReason): void {
  line.waitAtMost(milliseconds, () => session.end(why, { tellClient: true }))
}

/** What one client sends ends the connection of this one only. */
export function failed({ room, session, reason }: Standing, error: unknown): void {
  if (reason) return
  room.onFault(error)
  session.end('STATE_MISMATCH', { tellClient: true })
}

export function describe(standing: Standing, wanted: UpdateParticipantMetadata): void {
  const { room, line } = standing
  const described = describeAnew(standing.person, wanted, { hasCaptions: room.hasCaptions() })
  line.send({ case: 'requestResponse', value: described.answer })
  if (!described.person) return
  standing.person = described.person
  const { sid, name, metadata, attributes } = described.person
  room.report({ report: 'described', sid, name, metadata, attributes })
  changed(standing)
}

export function mute(standing: Standing, tracks: OwnTracks, trackSid: string, muted: boolean): void {
  const publication = tracks.find(trackSid)
  if (!publication || publication.info.muted === muted) return
  publication.info.muted = muted
  standing.room.report({ report: 'muted', sid: standing.person.sid, trackSid, muted })
  changed(standing)
}

export function update(participants: ParticipantInfo[]): ParticipantUpdate {
  return new ParticipantUpdate({ participants })
}
