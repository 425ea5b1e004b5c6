import type {
  AgentRights,
  MediaRecording,
  MediaTrack,
  ParticipantIdentity,
  ParticipantKind,
} from './media.ts'

/** The live session of a room, as far as an event tells. */
export interface EventRoom {
  /** Empty where the event does not tell. */
  sid: string
  name: string
  startedAt: Date | undefined
}

export interface EventParticipant {
  sid: string
  identity: ParticipantIdentity
  name: string
  kind: ParticipantKind
  /** Of the kind `agent` alone. */
  agent?: AgentRights
  /** Of the token that they came with; undefined where it said none. */
  session?: string
  /** Of an agent that came by a job: the name by which its worker has registered. */
  worker?: string
  /** When the connection began. */
  joinedAt: Date | undefined
}

/** A stream brought in from outside, at its start or its end. */
export interface EventIngress {
  ingressId: string
  input: 'rtmp' | 'whip' | 'url'
  room: string
  startedAt: Date | undefined
  endedAt: Date | undefined
  /** In the vendor's words; undefined where it went well. */
  error: string | undefined
}

export type RoomEvent =
  | { kind: 'room_started'; room: EventRoom }
  /** `durationSeconds`: where the event tells how long the room was open. */
  | { kind: 'room_finished'; room: EventRoom; durationSeconds?: number }
export type ParticipantEvent =
  | { kind: 'participant_joined' | 'participant_left'; room: EventRoom; participant: EventParticipant }
  | { kind: 'participant_connection_aborted'; room: EventRoom; participant: EventParticipant; reason: string }
export type TrackEvent = {
  kind: 'track_published' | 'track_unpublished'
  room: EventRoom
  participant: Pick<EventParticipant, 'sid' | 'identity' | 'kind'>
  track: MediaTrack
}
export type EgressEvent = {
  kind: 'egress_started' | 'egress_updated' | 'egress_ended'
  recording: MediaRecording
}
export type IngressEvent = { kind: 'ingress_started' | 'ingress_ended'; ingress: EventIngress }
/** What we have no use for. */
export type UnwantedEvent = { kind: 'other' }

export interface EventEnvelope {
  /** The same for every delivery of one event. */
  id: string
  /** When it happened: whole seconds. */
  at: Date
}

/** Something that happened at the media server. */
export type MediaEvent = EventEnvelope &
  (RoomEvent | ParticipantEvent | TrackEvent | EgressEvent | IngressEvent | UnwantedEvent)

/** What a delivery to the webhook turned out to be. */
export type Delivery =
  | { outcome: 'event'; event: MediaEvent }
  /** Not sent by an owner of our secret, or not now. */
  | { outcome: 'unsigned' }
  /** Signed, and of no use: what names a part of it (`field`) is missing, empty or over-long. Sent again it would be the same. */
  | { outcome: 'unusable'; field: string }
  /** Signed, and not readable all the same. */
  | { outcome: 'unreadable' }

/** Reads what the media server sends to the webhook. */
export interface MediaEventReceiver {
  /**
   * @param body the bytes as they came: the signature is over them
   * @param authorization the header of that name
   */
  receive(body: Buffer, authorization: string | undefined): Delivery
}
