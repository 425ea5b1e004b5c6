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
  SignalTarget,
  type TrickleRequest,
  type UpdateParticipantMetadata,
  type UpdateSubscription,
} from '@livekit/protocol'
import { openConnections } from './connections.ts'
import { notice } from './data/data-packets.ts'
import type { DataKind } from './data/outgoing-data.ts'
import { openRemotePackets } from './data/remote-packets.ts'
import { participantInfo, publishedTrack, SERVER_INFO } from './descriptions.ts'
import { usableCandidate } from './incoming-limits.ts'
import { type LeaveReason, mayUsePublisher, type Person, type RemoteCall, type Report } from './messages.ts'
import { describeAnew } from './own-description.ts'
import type { Signal, SignalAnswer, SignalMessage } from './signal.ts'
import { connectionQuality } from './tracks/connection-quality.ts'
import { type OwnTracks, openOwnTracks } from './tracks/own-tracks.ts'
import type { Publication } from './tracks/publication.ts'

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
  subscribe(chosen: Pick<UpdateSubscription, 'trackSids' | 'subscribe'>): void
  /** Calls a method in the client; what comes of it is reported. */
  call(call: RemoteCall): void
  offer(publication: Publication): void
  withdraw(publication: Publication): void
  deliver(kind: DataKind, packet: DataPacket): void
  end(reason: LeaveReason, how: { tellClient: boolean | 'to-begin-anew' }): void
}

const COME_BACK_MS = 20_000
const CONNECT_WITHIN_MS = 60_000
const QUALITY_MAX = 2
const BEGIN_ANEW = { action: LeaveRequest_Action.RECONNECT, canReconnect: true }

/** How a client comes in. */
export interface Entering {
  autoSubscribe: boolean
  /** One connection carries everything, by offers of the client. */
  isOneConnection: boolean
}

export function openSession(room: SessionRoom, options: Entering & { person: Person }): Session {
  let { person } = options
  let signal: Signal | undefined
  let state = ParticipantInfo_State.JOINED
  let version = 1
  let reason: LeaveReason | undefined
  let late: NodeJS.Timeout | undefined
  const unwanted = new Set<string>()
  const remote = openRemotePackets()
  const { report } = room
  const { sid } = person

  const send = (message: SignalAnswer) => signal?.send(message)
  const changed = () => {
    version += 1
    send({ case: 'update', value: update([self.info()]) })
    room.announce(self)
  }
  const connected = () => {
    if (state === ParticipantInfo_State.ACTIVE) return
    state = ParticipantInfo_State.ACTIVE
    clearTimeout(late)
    report({ report: 'active', sid })
    changed()
  }
  const tracks = openOwnTracks({
    publisherSid: sid,
    mayPublish: () => person.permission.canPublish,
    encryptedOnly: person.encryptedOnly,
    hasRoomForCamera: room.hasRoomForCamera,
    send,
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
  /** Who is away comes back with an attempt again, or not at all. */
  const silent = () => {
    if (signal) self.end('CONNECTION_TIMEOUT', { tellClient: 'to-begin-anew' })
  }
  const connections = openConnections({
    ...{ address: room.address, isOne: options.isOneConnection, send },
    mayPublish: () => mayUsePublisher(person),
    onConnected: connected,
    onSilent: silent,
    // while signals go on, the client begins again by itself
    onLost: () => signal || self.end('CONNECTION_TIMEOUT', { tellClient: false }),
    onNegotiated: tracks.follow,
    onData(kind, packet) {
      if (!person.permission.canPublishData) return
      const answer = remote.answerIn(packet)
      if (answer) report({ report: 'called', sid, answer })
      else room.pass(self, kind, packet)
    },
    sources: () => tracks.list().flatMap(({ info, sources }) => (info.type === 1 ? sources() : [])),
    onFault: (error) => fail(error),
  })
  const { subscriber } = connections
  const publisherOf = () => (reason ? undefined : connections.publisher())
  /** What one client sends ends the connection of this one only. */
  const fail = (error: unknown) => {
    if (reason) return
    room.onFault(error)
    self.end('STATE_MISMATCH', { tellClient: true })
  }
  const goneFor = (milliseconds: number, why: LeaveReason) => {
    clearTimeout(late)
    late = setTimeout(() => self.end(why, { tellClient: true }), milliseconds)
  }
  const take = (next: Signal) => {
    const before = signal
    signal = next
    before?.close()
    next.onClose(() => {
      if (signal !== next) return
      signal = undefined
      if (state === ParticipantInfo_State.ACTIVE) goneFor(COME_BACK_MS, 'CONNECTION_TIMEOUT')
      else self.end('SIGNAL_CLOSE', { tellClient: false })
    })
  }
  const subscribeToAll = () => {
    for (const publication of room.publicationsFor(self)) self.offer(publication)
  }
  const seeOthers = () => {
    send({ case: 'update', value: update(room.othersOf(self)) })
    room.tellRoom(self)
    if (options.autoSubscribe) subscribeToAll()
  }
  const subscription: Session['subscribe'] = ({ trackSids, subscribe }) => {
    const wanted = new Set(trackSids)
    for (const publication of room.publicationsFor(self)) {
      const { sid: track } = publication.info
      if (!wanted.has(track)) continue
      unwanted[subscribe ? 'delete' : 'add'](track)
      if (subscribe) self.offer(publication)
      else subscriber.remove(publication)
    }
  }
  const describe = (wanted: UpdateParticipantMetadata) => {
    const described = describeAnew(person, wanted)
    send({ case: 'requestResponse', value: described.answer })
    if (!described.person) return
    person = described.person
    const { name, metadata, attributes } = person
    report({ report: 'described', sid, name, metadata, attributes })
    changed()
  }
  const obey = (message: SignalMessage) => {
    switch (message.case) {
      case 'offer':
        return publisherOf()?.takeOffer(message.value)
      case 'answer':
        return subscriber.takeAnswer(message.value)
      case 'trickle':
        return takeCandidate(message.value)
      case 'addTrack':
        return tracks.announce(message.value)
      case 'mute':
        return mute(message.value.sid, message.value.muted)
      case 'subscription':
        return subscription(chosenIn(message.value))
      case 'trackSetting': {
        const { trackSids, disabled, quality } = message.value
        for (const track of trackSids)
          subscriber.choose(track, Math.max(0, Math.min(quality, QUALITY_MAX)), disabled)
        return
      }
      case 'updateMetadata':
        return describe(message.value)
      case 'leave':
        return self.end('CLIENT_INITIATED', { tellClient: false })
    }
  }
  const takeCandidate = ({ candidateInit, target }: TrickleRequest) => {
    const candidate = usableCandidate(candidateInit)
    const peer = target === SignalTarget.PUBLISHER ? publisherOf() : subscriber
    if (candidate) peer?.takeCandidate(candidate)
  }
  const mute = (trackSid: string, muted: boolean) => {
    const publication = tracks.find(trackSid)
    if (!publication || publication.info.muted === muted) return
    publication.info.muted = muted
    report({ report: 'muted', sid, trackSid, muted })
    changed()
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
        isReached: signal !== undefined,
        receivingLoss: subscriber.loss(),
        published: tracks.list(),
      }),
    send,
    offersCome: connections.offersCome,
    start(next, offer) {
      take(next)
      goneFor(CONNECT_WITHIN_MS, 'JOIN_FAILURE')
      send(room.welcome(self))
      if (offer) publisherOf()?.takeOffer(offer)
      next.onMessage(obey)
      room.announce(self)
      if (options.autoSubscribe) subscribeToAll()
      subscriber.negotiate()
    },
    resume(next) {
      clearTimeout(late)
      take(next)
      send({ case: 'reconnect', value: new ReconnectResponse({ serverInfo: SERVER_INFO }) })
      send({ case: 'update', value: update([self.info(), ...room.othersOf(self)]) })
      room.tellRoom(self)
      next.onMessage(obey)
      subscriber.restart()
    },
    update(next) {
      const before = person.permission
      person = next
      if (before.canPublish && !next.permission.canPublish) tracks.closeAll()
      changed()
      if (!before.canSubscribe && next.permission.canSubscribe) seeOthers()
      if (before.canSubscribe && !next.permission.canSubscribe)
        for (const publication of room.publicationsFor(self)) subscriber.remove(publication)
    },
    muteByServer(trackSid, muted) {
      send({ case: 'mute', value: new MuteTrackRequest({ sid: trackSid, muted }) })
      mute(trackSid, muted)
    },
    subscribe: subscription,
    call: (call) => subscriber.deliver('reliable', remote.packetOf(call).toBinary()),
    offer(publication) {
      if (!person.permission.canSubscribe || unwanted.has(publication.info.sid)) return
      subscriber.add(publication)
      room.subscribed(publication)
    },
    withdraw: (publication) => subscriber.remove(publication),
    deliver: (kind, packet) => subscriber.deliver(kind, packet.toBinary()),
    end(why, { tellClient }) {
      if (reason) return
      reason = why
      version += 1
      clearTimeout(late)
      const value = new LeaveRequest({
        reason: DisconnectReason[why],
        ...(tellClient === 'to-begin-anew' ? BEGIN_ANEW : { action: LeaveRequest_Action.DISCONNECT }),
      })
      if (tellClient) send({ case: 'leave', value })
      signal?.close()
      signal = undefined
      tracks.closeAll()
      room.left(self)
      report({ report: 'left', sid, reason: why })
      void connections.close()
    },
  }
  return self
}

function chosenIn({ trackSids, participantTracks, subscribe }: UpdateSubscription) {
  return { subscribe, trackSids: [...trackSids, ...participantTracks.flatMap((one) => one.trackSids)] }
}

function update(participants: ParticipantInfo[]): ParticipantUpdate {
  return new ParticipantUpdate({ participants })
}
