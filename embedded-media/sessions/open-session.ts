import {
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MuteTrackRequest,
  ParticipantInfo_State,
  ReconnectResponse,
  type SessionDescription,
} from '@livekit/protocol'
import { notice } from '../data/data-packets.ts'
import { openRemotePackets } from '../data/remote-packets.ts'
import { publishedTrack, SERVER_INFO } from '../descriptions.ts'
import { type LeaveReason, mayUsePublisher, type Person } from '../messages.ts'
import type { Signal } from '../signal.ts'
import { connectionQuality } from '../tracks/connection-quality.ts'
import { type OwnTracks, openOwnTracks } from '../tracks/own-tracks.ts'
import { type ClientReach, serveRequest } from './client-requests.ts'
import { type Connections, openConnections } from './connections.ts'
import type { Entering, Session, SessionRoom } from './session.ts'
import { openSignalLine } from './signal-line.ts'
import {
  brokenOff,
  changed,
  connected,
  describe,
  endAfter,
  failed,
  infoOf,
  mute,
  type Standing,
  update,
} from './standing.ts'
import { openSubscriptions, type Subscriptions } from './subscriptions.ts'

const CONNECT_WITHIN_MS = 60_000
const BEGIN_ANEW = { action: LeaveRequest_Action.RECONNECT, canReconnect: true }

/** A session with all that belongs to it, for the functions below. */
interface Parts {
  readonly standing: Standing
  readonly remote: ReturnType<typeof openRemotePackets>
  readonly tracks: OwnTracks
  readonly connections: Connections
  readonly subscriptions: Subscriptions
  readonly autoSubscribe: boolean
}

export function openSession(room: SessionRoom, options: Entering & { person: Person }): Session {
  const { person, autoSubscribe } = options
  const line = openSignalLine({
    onMessage: (message) => serveRequest(reach, message),
    onBroken: () => brokenOff(standing),
  })
  const standing: Standing = {
    ...{ room, line, person, state: ParticipantInfo_State.JOINED, version: 1, reason: undefined },
    get session() {
      return session
    },
  }
  const remote = openRemotePackets()
  const tracks = openTracks(standing)
  const connections = connect({ standing, remote, tracks }, options.isOneConnection)
  const subscriptions = openSubscriptions({
    subscriber: connections.subscriber,
    publications: () => room.publicationsFor(session),
    mayReceive: () => standing.person.permission.canSubscribe,
    onReceived: room.subscribed,
  })
  const parts: Parts = { standing, remote, tracks, connections, subscriptions, autoSubscribe }
  const reach = reachOf(parts)
  const session = sessionOf(parts)
  return session
}

function openTracks(standing: Standing): OwnTracks {
  const { room, line } = standing
  const { sid, encryptedOnly } = standing.person
  return openOwnTracks({
    publisherSid: sid,
    mayPublish: () => standing.person.permission.canPublish,
    encryptedOnly,
    hasRoomForCamera: room.hasRoomForCamera,
    send: line.send,
    tell: (words) => standing.session.deliver('reliable', notice(words).toBinary()),
    onPublished(publication) {
      room.report({ report: 'published', sid, track: publishedTrack(publication.info) })
      changed(standing)
      room.published(standing.session, publication)
    },
    onUnpublished(publication) {
      room.unpublished(publication)
      // who leaves takes everything along: the office knows
      if (standing.reason) return
      room.report({ report: 'unpublished', sid, trackSid: publication.info.sid })
      changed(standing)
    },
  })
}

function connect(
  { standing, remote, tracks }: Pick<Parts, 'standing' | 'remote' | 'tracks'>,
  isOne: boolean,
): Connections {
  const { room, line } = standing
  const end = (tellClient: false | 'to-begin-anew') =>
    standing.session.end('CONNECTION_TIMEOUT', { tellClient })
  return openConnections({
    ...{ address: room.address, isOne, send: line.send },
    mayPublish: () => mayUsePublisher(standing.person),
    onFault: (error) => failed(standing, error),
    onConnected: () => connected(standing),
    // a client that is away comes back with an attempt again, or not at all
    onSilent: () => line.isOpen() && end('to-begin-anew'),
    // while signals go on, the client begins again by itself
    onLost: () => line.isOpen() || end(false),
    onNegotiated: tracks.follow,
    onData(kind, packet) {
      const { sid, permission } = standing.person
      if (!permission.canPublishData) return
      const answer = remote.answerIn(packet)
      if (answer) room.report({ report: 'called', sid, answer })
      else room.pass(standing.session, kind, packet)
    },
    sources: () => tracks.list().flatMap(({ info, sources }) => (info.type === 1 ? sources() : [])),
  })
}

function reachOf({ standing, tracks, connections, subscriptions }: Parts): ClientReach {
  return {
    ...{ subscriber: connections.subscriber, tracks, choose: subscriptions.choose },
    publisher: () => (standing.reason ? undefined : connections.publisher()),
    mute: (trackSid, muted) => mute(standing, tracks, trackSid, muted),
    describe: (wanted) => describe(standing, wanted),
    leave: () => standing.session.end('CLIENT_INITIATED', { tellClient: false }),
  }
}

function sessionOf(parts: Parts): Session {
  const { standing, remote, tracks, connections, subscriptions } = parts
  const { line } = standing
  const { subscriber } = connections
  return {
    get person() {
      return standing.person
    },
    tracks,
    isGone: () => standing.reason !== undefined,
    info: () => infoOf(standing, tracks),
    quality: () =>
      connectionQuality({
        sid: standing.person.sid,
        isReached: line.isOpen(),
        receivingLoss: subscriber.loss(),
        published: tracks.list(),
      }),
    send: line.send,
    offersCome: connections.offersCome,
    start: (signal, offer) => start(parts, signal, offer),
    resume: (signal) => resume(parts, signal),
    update: (person) => become(parts, person),
    muteByServer(trackSid, muted) {
      line.send({ case: 'mute', value: new MuteTrackRequest({ sid: trackSid, muted }) })
      mute(standing, tracks, trackSid, muted)
    },
    subscribe: subscriptions.choose,
    call: (call) => subscriber.deliver('reliable', remote.packetOf(call).toBinary()),
    offer: subscriptions.offer,
    withdraw: subscriptions.withdraw,
    deliver: subscriber.deliver,
    end: (why, { tellClient }) => end(parts, why, tellClient),
  }
}

function start(parts: Parts, signal: Signal, offer: SessionDescription | undefined): void {
  const { standing, connections, subscriptions, autoSubscribe } = parts
  const { room, session, line } = standing
  line.take(signal)
  endAfter(standing, CONNECT_WITHIN_MS, 'JOIN_FAILURE')
  line.send(room.welcome(session))
  if (offer && !standing.reason) connections.publisher()?.takeOffer(offer)
  line.read()
  room.announce(session)
  if (autoSubscribe) subscriptions.receiveAll()
  connections.subscriber.negotiate()
}

function resume({ standing, connections }: Parts, signal: Signal): void {
  const { room, session, line } = standing
  line.stopWaiting()
  line.take(signal)
  line.send({ case: 'reconnect', value: new ReconnectResponse({ serverInfo: SERVER_INFO }) })
  line.send({ case: 'update', value: update([session.info(), ...room.othersOf(session)]) })
  room.tellRoom(session)
  line.read()
  connections.subscriber.restart()
}

/** Something else is said of the person now, or they may do something else. */
function become({ standing, tracks, subscriptions, autoSubscribe }: Parts, person: Person): void {
  const { room, session, line } = standing
  const before = standing.person.permission
  standing.person = person
  if (before.canPublish && !person.permission.canPublish) tracks.closeAll()
  changed(standing)
  if (before.canSubscribe && !person.permission.canSubscribe) subscriptions.receiveNone()
  if (before.canSubscribe || !person.permission.canSubscribe) return
  line.send({ case: 'update', value: update(room.othersOf(session)) })
  room.tellRoom(session)
  if (autoSubscribe) subscriptions.receiveAll()
}

function end(
  { standing, tracks, connections }: Parts,
  why: LeaveReason,
  tellClient: boolean | 'to-begin-anew',
): void {
  const { room, session, line, person } = standing
  if (standing.reason) return
  standing.reason = why
  standing.version += 1
  const value = new LeaveRequest({
    reason: DisconnectReason[why],
    ...(tellClient === 'to-begin-anew' ? BEGIN_ANEW : { action: LeaveRequest_Action.DISCONNECT }),
  })
  if (tellClient) line.send({ case: 'leave', value })
  line.close()
  tracks.closeAll()
  room.left(session)
  room.report({ report: 'left', sid: person.sid, reason: why })
  void connections.close()
}
