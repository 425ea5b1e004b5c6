import {
  type ConnectionQualityInfo,
  type DataPacket,
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MuteTrackRequest,
  type ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  ReconnectResponse,
  type SessionDescription,
  type UpdateParticipantMetadata,
} from '@livekit/protocol'
import { notice } from '../data/data-packets.ts'
import type { DataKind } from '../data/outgoing-data.ts'
import { openRemotePackets } from '../data/remote-packets.ts'
import { participantInfo, publishedTrack, SERVER_INFO } from '../descriptions.ts'
import { type LeaveReason, mayUsePublisher, type Person, type RemoteCall, type Report } from '../messages.ts'
import type { Signal, SignalAnswer } from '../signal.ts'
import { connectionQuality } from '../tracks/connection-quality.ts'
import { type OwnTracks, openOwnTracks } from '../tracks/own-tracks.ts'
import type { Publication } from '../tracks/publication.ts'
import { serveRequest } from './client-requests.ts'
import { openConnections } from './connections.ts'
import { describeAnew } from './own-description.ts'
import { openSignalLine } from './signal-line.ts'
import { type ChosenTracks, openSubscriptions } from './subscriptions.ts'

/** What a session asks of its room. */
export interface SessionRoom {
  address: string
  report(report: Report): void
  onFault(error: unknown): void
  hasRoomForCamera(): boolean
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
  deliver(kind: DataKind, packet: DataPacket): void
  end(reason: LeaveReason, how: { tellClient: boolean | 'to-begin-anew' }): void
}

const COME_BACK_MS = 20_000
const CONNECT_WITHIN_MS = 60_000
const BEGIN_ANEW = { action: LeaveRequest_Action.RECONNECT, canReconnect: true }

/** How a client comes in. */
export interface Entering {
  autoSubscribe: boolean
  /** One connection carries everything, by offers of the client. */
  isOneConnection: boolean
}

export function openSession(room: SessionRoom, options: Entering & { person: Person }): Session {
  let { person } = options
  let state = ParticipantInfo_State.JOINED
  let version = 1
  let reason: LeaveReason | undefined
  const remote = openRemotePackets()
  const { report } = room
  const { sid } = person

  const line = openSignalLine({
    onMessage: (message) => serveRequest(reach, message),
    onBroken() {
      if (state === ParticipantInfo_State.ACTIVE) endAfter(COME_BACK_MS, 'CONNECTION_TIMEOUT')
      else self.end('SIGNAL_CLOSE', { tellClient: false })
    },
  })
  const endAfter = (milliseconds: number, why: LeaveReason) =>
    line.waitAtMost(milliseconds, () => self.end(why, { tellClient: true }))
  const changed = () => {
    version += 1
    line.send({ case: 'update', value: update([self.info()]) })
    room.announce(self)
  }
  const connected = () => {
    if (state === ParticipantInfo_State.ACTIVE) return
    state = ParticipantInfo_State.ACTIVE
    line.stopWaiting()
    report({ report: 'active', sid })
    changed()
  }
  const tracks = openOwnTracks({
    publisherSid: sid,
    mayPublish: () => person.permission.canPublish,
    encryptedOnly: person.encryptedOnly,
    hasRoomForCamera: room.hasRoomForCamera,
    send: line.send,
    tell: (words) => self.deliver('reliable', notice(words)),
    onPublished(publication) {
      report({ report: 'published', sid, track: publishedTrack(publication.info) })
      changed()
      room.published(self, publication)
    },
    onUnpublished(publication) {
      room.unpublished(publication)
      // who leaves takes everything along: the office knows
      if (reason) return
      report({ report: 'unpublished', sid, trackSid: publication.info.sid })
      changed()
    },
  })
  /** What one client sends ends the connection of this one only. */
  const fail = (error: unknown) => {
    if (reason) return
    room.onFault(error)
    self.end('STATE_MISMATCH', { tellClient: true })
  }
  const connections = openConnections({
    ...{ address: room.address, isOne: options.isOneConnection, send: line.send, onFault: fail },
    mayPublish: () => mayUsePublisher(person),
    onConnected: connected,
    // a client that is away comes back with an attempt again, or not at all
    onSilent: () => line.isOpen() && self.end('CONNECTION_TIMEOUT', { tellClient: 'to-begin-anew' }),
    // while signals go on, the client begins again by itself
    onLost: () => line.isOpen() || self.end('CONNECTION_TIMEOUT', { tellClient: false }),
    onNegotiated: tracks.follow,
    onData(kind, packet) {
      if (!person.permission.canPublishData) return
      const answer = remote.answerIn(packet)
      if (answer) report({ report: 'called', sid, answer })
      else room.pass(self, kind, packet)
    },
    sources: () => tracks.list().flatMap(({ info, sources }) => (info.type === 1 ? sources() : [])),
  })
  const { subscriber } = connections
  const subscriptions = openSubscriptions({
    subscriber,
    publications: () => room.publicationsFor(self),
    mayReceive: () => person.permission.canSubscribe,
    onReceived: room.subscribed,
  })
  const seeOthers = () => {
    line.send({ case: 'update', value: update(room.othersOf(self)) })
    room.tellRoom(self)
    if (options.autoSubscribe) subscriptions.receiveAll()
  }
  const describe = (wanted: UpdateParticipantMetadata) => {
    const described = describeAnew(person, wanted)
    line.send({ case: 'requestResponse', value: described.answer })
    if (!described.person) return
    person = described.person
    const { name, metadata, attributes } = person
    report({ report: 'described', sid, name, metadata, attributes })
    changed()
  }
  const mute = (trackSid: string, muted: boolean) => {
    const publication = tracks.find(trackSid)
    if (!publication || publication.info.muted === muted) return
    publication.info.muted = muted
    report({ report: 'muted', sid, trackSid, muted })
    changed()
  }
  const reach = {
    ...{ subscriber, tracks, mute, describe, choose: subscriptions.choose },
    publisher: () => (reason ? undefined : connections.publisher()),
    leave: () => self.end('CLIENT_INITIATED', { tellClient: false }),
  }

  const self: Session = {
    get person() {
      return person
    },
    tracks,
    isGone: () => reason !== undefined,
    info: () =>
      participantInfo({
        person,
        version,
        state: reason ? ParticipantInfo_State.DISCONNECTED : state,
        tracks: reason ? [] : tracks.list().map(({ info }) => info),
        ...(reason ? { reason } : {}),
      }),
    quality: () =>
      connectionQuality({
        sid,
        isReached: line.isOpen(),
        receivingLoss: subscriber.loss(),
        published: tracks.list(),
      }),
    send: line.send,
    offersCome: connections.offersCome,
    start(signal, offer) {
      line.take(signal)
      endAfter(CONNECT_WITHIN_MS, 'JOIN_FAILURE')
      line.send(room.welcome(self))
      if (offer) reach.publisher()?.takeOffer(offer)
      line.read()
      room.announce(self)
      if (options.autoSubscribe) subscriptions.receiveAll()
      subscriber.negotiate()
    },
    resume(signal) {
      line.stopWaiting()
      line.take(signal)
      line.send({ case: 'reconnect', value: new ReconnectResponse({ serverInfo: SERVER_INFO }) })
      line.send({ case: 'update', value: update([self.info(), ...room.othersOf(self)]) })
      room.tellRoom(self)
      line.read()
      subscriber.restart()
    },
    update(next) {
      const before = person.permission
      person = next
      if (before.canPublish && !next.permission.canPublish) tracks.closeAll()
      changed()
      if (!before.canSubscribe && next.permission.canSubscribe) seeOthers()
      if (before.canSubscribe && !next.permission.canSubscribe) subscriptions.receiveNone()
    },
    muteByServer(trackSid, muted) {
      line.send({ case: 'mute', value: new MuteTrackRequest({ sid: trackSid, muted }) })
      mute(trackSid, muted)
    },
    subscribe: subscriptions.choose,
    call: (call) => subscriber.deliver('reliable', remote.packetOf(call).toBinary()),
    offer: subscriptions.offer,
    withdraw: subscriptions.withdraw,
    deliver: (kind, packet) => subscriber.deliver(kind, packet.toBinary()),
    end(why, { tellClient }) {
      if (reason) return
      reason = why
      version += 1
      const value = new LeaveRequest({
        reason: DisconnectReason[why],
        ...(tellClient === 'to-begin-anew' ? BEGIN_ANEW : { action: LeaveRequest_Action.DISCONNECT }),
      })
      if (tellClient) line.send({ case: 'leave', value })
      line.close()
      tracks.closeAll()
      room.left(self)
      report({ report: 'left', sid, reason: why })
      void connections.close()
    },
  }
  return self
}

function update(participants: ParticipantInfo[]): ParticipantUpdate {
  return new ParticipantUpdate({ participants })
}
