import {
  ConnectionQualityUpdate,
  type ParticipantInfo,
  ParticipantUpdate,
  RoomUpdate,
  SpeakerInfo,
  SpeakersChanged,
  TrackSubscribed,
} from '@livekit/protocol'
import { packetOf, packetOfServer } from './data/data-packets.ts'
import { joinResponse, roomInfo } from './descriptions.ts'
import type { Person, Report, RoomDescription, ServerData } from './messages.ts'
import type { RoomRecording } from './recording/room-recording.ts'
import { type Entering, openSession, type Session, type SessionRoom } from './sessions/session.ts'
import type { Publication } from './tracks/publication.ts'

export interface MediaRoomOptions {
  description: RoomDescription
  address: string
  cameras: number
  report(report: Report): void
  onFault(error: unknown): void
  onEmpty(): void
}

/** One live room: who is inside, and what goes from whom to whom. */
export interface MediaRoom {
  join(person: Person, entering: Entering): Session
  /** Something else is said of the room now: everybody inside is told, those who wait too. */
  describe(description: RoomDescription): void
  /** Says something as the server: who waits hears only what names them. */
  say(data: ServerData): void
  /** Everything from now on goes to this recording too. @returns ends that */
  record(recording: RoomRecording): () => void
}

const SPEAKERS_EVERY_MS = 400
const QUALITY_EVERY_MS = 5_000
/** About -35 dB, as LiveKit's default. */
const SPEAKING_FROM = 0.0178

export function openRoom(options: MediaRoomOptions): MediaRoom {
  const { address, cameras, report, onFault } = options
  let { description } = options
  const sessions = new Set<Session>()
  const received = new WeakSet<Publication>()
  let speaking = new Set<string>()
  const recordings = new Set<RoomRecording>()

  const others = (session: Session) => [...sessions].filter((one) => one !== session)
  const seenBy = (session: Session) =>
    seesOthers(session) ? others(session).filter(({ person }) => !person.permission.hidden) : []
  const othersOf = (session: Session): ParticipantInfo[] => seenBy(session).map((one) => one.info())
  const timer = setInterval(() => tellSpeakers(), SPEAKERS_EVERY_MS)

  const qualityTimer = setInterval(() => tellQualities(), QUALITY_EVERY_MS)

  const tellQualities = () => {
    const all = [...sessions].map((session) => ({ session, info: session.quality() }))
    for (const { session } of all) {
      const visible = new Set([session, ...seenBy(session)])
      const seen = all.filter((one) => visible.has(one.session))
      const value = new ConnectionQualityUpdate({ updates: seen.map(({ info }) => info) })
      session.send({ case: 'connectionQuality', value })
    }
  }
  const tellSpeakers = () => {
    const loudness = new Map<string, number>()
    for (const { person, tracks } of sessions) {
      const levels = tracks.list().map((publication) => publication.takeLoudness())
      const loudest = Math.max(0, ...levels)
      if (loudest >= SPEAKING_FROM) loudness.set(person.sid, loudest)
    }
    const loudestFirst = [...loudness].sort(([, one], [, other]) => other - one).map(([sid]) => sid)
    for (const recording of recordings) recording.heard(loudestFirst)
    const concerned = new Set([...speaking, ...loudness.keys()])
    for (const sid of loudness.keys())
      if (!speaking.has(sid)) report({ report: 'speaking', sid, speaking: true })
    for (const sid of speaking) if (!loudness.has(sid)) report({ report: 'speaking', sid, speaking: false })
    speaking = new Set(loudness.keys())
    if (concerned.size === 0) return
    const speakers = [...concerned].map(
      (sid) => new SpeakerInfo({ sid, level: loudness.get(sid) ?? 0, active: loudness.has(sid) }),
    )
    for (const session of sessions)
      if (seesOthers(session))
        session.send({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) })
  }

  const room: SessionRoom = {
    address,
    report,
    onFault,
    othersOf,
    hasRoomForCamera: () => [...sessions].reduce((sum, { tracks }) => sum + tracks.cameras(), 0) < cameras,
    welcome: (session) => ({
      case: 'join',
      value: joinResponse(description, {
        participant: session.info(),
        others: othersOf(session),
        offersCome: session.offersCome,
      }),
    }),
    tellRoom(session) {
      const value = new RoomUpdate({ room: roomInfo(description, seenBy(session).length + 1) })
      session.send({ case: 'roomUpdate', value })
    },
    announce(session) {
      if (session.person.permission.hidden) return
      if (seesOthers(session) && !session.isGone())
        for (const recording of recordings) recording.entered(session.person)
      const value = new ParticipantUpdate({ participants: [session.info()] })
      for (const other of others(session)) if (seesOthers(other)) other.send({ case: 'update', value })
    },
    published(session, publication) {
      for (const other of others(session)) other.offer(publication)
      for (const recording of recordings) recording.published(publication, session.person)
    },
    subscribed(publication) {
      if (received.has(publication)) return
      received.add(publication)
      const publisher = [...sessions].find(({ person }) => person.sid === publication.publisherSid)
      const value = new TrackSubscribed({ trackSid: publication.info.sid })
      publisher?.send({ case: 'trackSubscribed', value })
    },
    unpublished(publication) {
      for (const session of sessions) session.withdraw(publication)
      for (const recording of recordings) recording.unpublished(publication)
    },
    publicationsFor: (session) => others(session).flatMap(({ tracks }) => tracks.list()),
    pass(session, kind, data) {
      const said = packetOf(session.person, data)
      if (!said) return
      // who waits hears and sees nothing, words included
      for (const other of others(session))
        if (seesOthers(other) && said.isFor(other.person)) other.deliver(kind, said.packet)
    },
    left(session) {
      sessions.delete(session)
      room.announce(session)
      for (const recording of recordings) recording.left(session.person)
      if (sessions.size > 0) return
      clearInterval(timer)
      clearInterval(qualityTimer)
      options.onEmpty()
    },
  }
  return {
    join(person, entering) {
      const session = openSession(room, { ...entering, person })
      sessions.add(session)
      return session
    },
    describe(next) {
      description = next
      for (const session of sessions) room.tellRoom(session)
    },
    record(recording) {
      recordings.add(recording)
      for (const session of sessions) {
        const { person, tracks } = session
        if (seesOthers(session) && !person.permission.hidden) recording.entered(person)
        for (const publication of tracks.list()) recording.published(publication, person)
      }
      return () => recordings.delete(recording)
    },
    say(data) {
      const { packet, isFor, isForAll } = packetOfServer(data)
      for (const session of sessions)
        if (isForAll ? seesOthers(session) : isFor(session.person)) session.deliver(data.kind, packet)
    },
  }
}

/** A participant who may not subscribe waits: no others are announced, not even how many there are. */
function seesOthers({ person }: Session): boolean {
  return person.permission.canSubscribe
}
