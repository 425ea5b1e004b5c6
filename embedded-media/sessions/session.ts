import type { ConnectionQualityInfo, ParticipantInfo, SessionDescription } from '@livekit/protocol'
import type { DataKind } from '../data/outgoing-data.ts'
import type { LeaveReason, Person, RemoteCall, Report } from '../messages.ts'
import type { Signal, SignalAnswer } from '../signal.ts'
import type { OwnTracks } from '../tracks/own-tracks.ts'
import type { Publication } from '../tracks/publication.ts'
import type { ChosenTracks } from './subscriptions.ts'

/** What a session asks of its room. */
export interface SessionRoom {
  address: string
  report(report: Report): void
  onFault(error: unknown): void
  hasRoomForCamera(): boolean
  hasCaptions(): boolean
  /** The first message: who is there. */
  welcome(session: Session): SignalAnswer
  /** Everybody whom this one sees. */
  othersOf(session: Session): ParticipantInfo[]
  /** Tells this one what is said of the room now. */
  tellRoom(session: Session): void
  /** Tells the others how this one stands now. */
  announce(session: Session): void
  published(session: Session, publication: Publication): void
  /** A subscriber receives it now. */
  subscribed(publication: Publication): void
  unpublished(publication: Publication): void
  /** All that there are, but this one's own. */
  publicationsFor(session: Session): Publication[]
  pass(session: Session, kind: DataKind, packet: Buffer): void
  left(session: Session): void
}

/** A participant: a socket for signals, a connection to publish on and one to receive on. */
export interface Session {
  readonly person: Person
  readonly tracks: Pick<OwnTracks, 'list' | 'cameras'>
  isGone(): boolean
  info(): ParticipantInfo
  /** Since it was last asked. */
  quality(): ConnectionQualityInfo
  send(message: SignalAnswer): void
  /** Whether the client makes the offers of the connection that counts. */
  readonly offersCome: boolean
  /** @param offer the client's first, where it came along */
  start(signal: Signal, offer?: SessionDescription): void
  resume(signal: Signal): void
  update(person: Person): void
  muteByServer(trackSid: string, muted: boolean): void
  /** As the client itself would choose what it receives. */
  subscribe(chosen: ChosenTracks): void
  /** Calls a method in the client; what comes of it is reported. */
  call(call: RemoteCall): void
  offer(publication: Publication): void
  withdraw(publication: Publication): void
  /** @param packet encoded, once for all who receive it */
  deliver(kind: DataKind, packet: Uint8Array): void
  end(reason: LeaveReason, how: { tellClient: boolean | 'to-begin-anew' }): void
}

/** How a client comes in. */
export interface Entering {
  autoSubscribe: boolean
  /** One connection carries everything, by offers of the client. */
  isOneConnection: boolean
}
