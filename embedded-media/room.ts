import { ParticipantUpdate, RoomUpdate, TrackSubscribed } from '@livekit/protocol'
import { type Audience, descriptionsFor, others, seenBy, seesOthers } from './audience.ts'
import { openRoomCaptions } from './captions/room-captions.ts'
import { wantsCaptions } from './captions/wanted-captions.ts'
import { captionPacket, packetOf, packetOfServer } from './data/data-packets.ts'
import type { DataKind } from './data/outgoing-data.ts'
import { joinResponse, roomInfo } from './descriptions.ts'
import type { Caption, Person, Report, RoomDescription, ServerData } from './messages.ts'
import type { RoomRecording } from './recording/room-recording.ts'
import { followActivity } from './room-activity.ts'
import { openSession } from './sessions/open-session.ts'
import type { Entering, Session, SessionRoom } from './sessions/session.ts'
import { guarded } from './timers.ts'
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
  /** Tells those who want captions what one person has said. */
  caption(caption: Caption): void
  /** Everything from now on goes to this recording too. @returns ends that */
  record(recording: RoomRecording): () => void
}

/** A room, for the functions below. */
interface LiveRoom extends Audience {
  description: RoomDescription
  /** Publications that a subscriber has received. */
  readonly received: WeakSet<Publication>
  /** Ends captions; undefined while they are not made. */
  endCaptions: (() => void) | undefined
}

export function openRoom(options: MediaRoomOptions): MediaRoom {
  const { description, report, onEmpty } = options
  const sessions = new Set<Session>()
  const room: LiveRoom = {
    ...{ description, sessions, recordings: new Set(), received: new WeakSet() },
    endCaptions: undefined,
  }
  const stopFollowing = followActivity(room, report)
  const asked = sessionRoom(room, options, () => {
    stopFollowing()
    onEmpty()
  })
  return {
    join(person, entering) {
      const session = openSession(asked, { ...entering, person })
      sessions.add(session)
      return session
    },
    describe(next) {
      room.description = next
      for (const session of sessions) tellRoom(room, session)
    },
    record: (recording) => record(room, recording),
    caption(caption) {
      const packet = captionPacket(caption).toBinary()
      for (const session of sessions) if (wants(room, session)) session.deliver('reliable', packet)
    },
    say(data) {
      const { packet, isFor, isForAll } = packetOfServer(data)
      const bytes = packet.toBinary()
      for (const session of sessions)
        if (isForAll ? seesOthers(session) : isFor(session.person)) session.deliver(data.kind, bytes)
    },
  }
}

function sessionRoom(room: LiveRoom, options: MediaRoomOptions, onEmpty: () => void): SessionRoom {
  const { address, cameras, report, onFault } = options
  const { sessions, recordings } = room
  return {
    address,
    report,
    onFault,
    othersOf: (session) => descriptionsFor(room, session),
    hasCaptions: () => room.description.hasCaptions,
    hasRoomForCamera: () => [...sessions].reduce((sum, { tracks }) => sum + tracks.cameras(), 0) < cameras,
    welcome: (session) => ({
      case: 'join',
      value: joinResponse(room.description, {
        participant: session.info(),
        others: descriptionsFor(room, session),
        offersCome: session.offersCome,
      }),
    }),
    tellRoom: (session) => tellRoom(room, session),
    announce(session) {
      announce(room, session)
      reconsiderCaptions(room, options)
    },
    published(session, publication) {
      for (const other of others(room, session)) other.offer(publication)
      for (const recording of recordings) recording.published(publication, session.person)
    },
    subscribed: (publication) => tellPublisher(room, publication),
    unpublished(publication) {
      for (const session of sessions) session.withdraw(publication)
      for (const recording of recordings) recording.unpublished(publication)
    },
    publicationsFor: (session) => others(room, session).flatMap(({ tracks }) => tracks.list()),
    pass: (session, kind, data) => pass(room, session, kind, data),
    left(session) {
      sessions.delete(session)
      announce(room, session)
      for (const recording of recordings) recording.left(session.person)
      reconsiderCaptions(room, options)
      if (sessions.size === 0) onEmpty()
    },
  }
}

function tellRoom(room: LiveRoom, session: Session): void {
  const value = new RoomUpdate({ room: roomInfo(room.description, seenBy(room, session).length + 1) })
  session.send({ case: 'roomUpdate', value })
}

function announce(room: LiveRoom, session: Session): void {
  if (session.person.permission.hidden) return
  if (seesOthers(session) && !session.isGone())
    for (const recording of room.recordings) recording.entered(session.person)
  const value = new ParticipantUpdate({ participants: [session.info()] })
  for (const other of others(room, session)) if (seesOthers(other)) other.send({ case: 'update', value })
}

function wants({ description }: LiveRoom, session: Session): boolean {
  return description.hasCaptions && seesOthers(session) && wantsCaptions(session.person)
}

/** Captions are made while a participant wants them: the others have been told of it before. */
function reconsiderCaptions(room: LiveRoom, { report, onFault }: MediaRoomOptions): void {
  const areWanted = [...room.sessions].some((session) => wants(room, session))
  if (areWanted === (room.endCaptions !== undefined)) return
  if (!areWanted) {
    room.endCaptions?.()
    room.endCaptions = undefined
    return
  }
  const captions = openRoomCaptions({ report, onFault })
  const detach = record(room, captions)
  room.endCaptions = () => {
    detach()
    guarded(() => captions.end(), onFault)
  }
}

/** Once: the first subscriber receives it. */
function tellPublisher({ sessions, received }: LiveRoom, publication: Publication): void {
  if (received.has(publication)) return
  received.add(publication)
  const publisher = [...sessions].find(({ person }) => person.sid === publication.publisherSid)
  const value = new TrackSubscribed({ trackSid: publication.info.sid })
  publisher?.send({ case: 'trackSubscribed', value })
}

function pass(room: LiveRoom, session: Session, kind: DataKind, data: Buffer): void {
  const said = packetOf(session.person, data)
  if (!said) return
  const bytes = said.packet.toBinary()
  // who waits hears and sees nothing, words included
  for (const other of others(room, session))
    if (seesOthers(other) && said.isFor(other.person)) other.deliver(kind, bytes)
}

/** @returns ends that */
function record({ sessions, recordings }: LiveRoom, recording: RoomRecording): () => void {
  recordings.add(recording)
  for (const session of sessions) {
    const { person, tracks } = session
    if (seesOthers(session) && !person.permission.hidden) recording.entered(person)
    for (const publication of tracks.list()) recording.published(publication, person)
  }
  return () => recordings.delete(recording)
}
