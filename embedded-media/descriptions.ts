import {
  DisconnectReason,
  Encryption_Type,
  JoinResponse,
  ParticipantInfo,
  ParticipantInfo_Kind,
  type ParticipantInfo_State,
  ParticipantPermission,
  Room,
  ServerInfo,
  type TrackInfo,
  TrackSource,
  TrackType,
} from '@livekit/protocol'
import type { LeaveReason, Person, PublishedTrack, RoomDescription } from './messages.ts'
import { PING_INTERVAL_SECONDS, PING_TIMEOUT_SECONDS } from './signal.ts'

/**
 * What clients believe to talk to. Above 1.8.2 LiveKit's components send chat as text streams, which pass here; up to it
 * they mark every message as edited. Above 1.13.6 livekit-client sends layers in one stream (SVC), which are not read here.
 */
const SERVER = new ServerInfo({ version: '1.8.4', protocol: 15, nodeId: 'atrium-embedded' })

export interface Standing {
  person: Person
  state: ParticipantInfo_State
  version: number
  tracks: TrackInfo[]
  reason?: LeaveReason
}

export function participantInfo({ person, state, version, tracks, reason }: Standing): ParticipantInfo {
  return new ParticipantInfo({
    sid: person.sid,
    identity: person.identity,
    name: person.name,
    metadata: person.metadata,
    attributes: person.attributes,
    state,
    version,
    tracks,
    joinedAt: BigInt(Math.floor(person.joinedAtMs / 1_000)),
    joinedAtMs: BigInt(person.joinedAtMs),
    kind: kindOf(person),
    permission: new ParticipantPermission(person.permission),
    isPublisher: tracks.length > 0,
    ...(reason ? { disconnectReason: DisconnectReason[reason] } : {}),
  })
}

function kindOf({ kind }: Person): ParticipantInfo_Kind {
  return ParticipantInfo_Kind[kind as keyof typeof ParticipantInfo_Kind] ?? ParticipantInfo_Kind.STANDARD
}

export function roomInfo(description: RoomDescription, numParticipants: number): Room {
  return new Room({
    sid: description.sid,
    name: description.name,
    metadata: description.metadata,
    creationTime: BigInt(Math.floor(description.createdAtMs / 1_000)),
    creationTimeMs: BigInt(description.createdAtMs),
    numParticipants,
    enabledCodecs: [{ mime: 'audio/opus' }, { mime: 'video/VP8' }],
    activeRecording: description.isRecorded,
  })
}

/** Without anything that would lead clients to other servers: a bare machine has none. */
export function joinResponse(
  description: RoomDescription,
  {
    participant,
    others,
    offersCome,
  }: { participant: ParticipantInfo; others: ParticipantInfo[]; offersCome: boolean },
): JoinResponse {
  return new JoinResponse({
    room: roomInfo(description, others.length + 1),
    participant,
    otherParticipants: others,
    serverVersion: SERVER.version,
    serverInfo: SERVER,
    // a client that may not publish is connected when it receives, and makes no offers
    subscriberPrimary: !offersCome,
    pingInterval: PING_INTERVAL_SECONDS,
    pingTimeout: PING_TIMEOUT_SECONDS,
    enabledPublishCodecs: [{ mime: 'audio/opus' }, { mime: 'video/VP8' }],
  })
}

/** As the office lists it. */
export function publishedTrack({ sid, name, source, type, muted, encryption }: TrackInfo): PublishedTrack {
  return {
    sid,
    name,
    muted,
    source: TrackSource[source] ?? 'UNKNOWN',
    type: TrackType[type] ?? 'AUDIO',
    ...(encryption !== Encryption_Type.NONE && { encryption: Encryption_Type[encryption] }),
  }
}

export { SERVER as SERVER_INFO }
