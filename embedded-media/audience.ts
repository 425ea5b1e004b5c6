import type { ParticipantInfo } from '@livekit/protocol'
import type { RoomRecording } from './recording/room-recording.ts'
import type { Session } from './sessions/session.ts'

/** All that receive what happens in one room. */
export interface Audience {
  readonly sessions: Set<Session>
  readonly recordings: Set<RoomRecording>
}

/** A participant who may not subscribe waits: no others are announced, not even how many there are. */
export function seesOthers({ person }: Session): boolean {
  return person.permission.canSubscribe
}

export function others({ sessions }: Audience, session: Session): Session[] {
  return [...sessions].filter((one) => one !== session)
}

export function seenBy(audience: Audience, session: Session): Session[] {
  return seesOthers(session)
    ? others(audience, session).filter(({ person }) => !person.permission.hidden)
    : []
}

export function descriptionsFor(audience: Audience, session: Session): ParticipantInfo[] {
  return seenBy(audience, session).map((one) => one.info())
}
