import type { RoomId, UserId } from '../platform/ids.ts'

/**
 * A participant inside a room: a `User.id` for people, `guest:<uuid>` for guests, and what the media server made up for
 * its own machinery. Only `parseParticipant` of the callers may read it, never a parser of numbers.
 */
export type ParticipantIdentity = string

/**
 * What a participant may do in a room. `take-part`: be seen, publish, subscribe, send data. `wait`: be there unseen,
 * without any of it.
 */
export type RoomRights = 'take-part' | 'wait'

/** A token to join one room with. */
export interface JoinToken {
  room: RoomId
  identity: ParticipantIdentity
  /** Shown to others in the room. */
  name: string
  rights: RoomRights
  /** Publishes encrypted tracks alone, where the media server can tell. */
  sealed: boolean
  /** It is a program's: everybody in the room sees that it is one. Undefined: a person's. */
  agent?: AgentRights
  /** What it was made from, as every connection made with it says. Others in the room can read it. */
  session?: string
  expiresInSeconds: number
}

/** A live session of a room at the media server. */
export interface MediaRoom {
  /** Of this session: the next one of the same room has another. */
  sid: string
  /** As the media server knows it: a `RoomId` where the room is ours, otherwise anything. */
  name: string
  startedAt: Date
}

/** What a program that takes part in a room may do there: hear it, and be heard and seen in it. */
export interface AgentRights {
  listens: boolean
  speaks: boolean
}

/**
 * What a participant is at the media server. Only `person` counts as a participant; `other`: streams brought in, calls.
 */
export type ParticipantKind = 'person' | 'recorder' | 'agent' | 'other'

export type TrackSource = 'camera' | 'microphone' | 'screen_share' | 'screen_share_audio' | 'unknown'
export type TrackType = 'audio' | 'video' | 'data'

export interface MediaTrack {
  sid: string
  source: TrackSource
  type: TrackType
  /** Undefined where it is not told. */
  muted?: boolean
  /** From end to end. Undefined where it is not told. */
  encrypted?: boolean
}

/** One connection to a room. */
export interface MediaParticipant {
  /** Of this connection: a full reconnect has another. */
  sid: string
  identity: ParticipantIdentity
  name: string
  kind: ParticipantKind
  /** Whether media flows; false while still connecting or already on the way out. */
  active: boolean
  /** False for those who wait. */
  mayPublish: boolean
  /** Of the kind `agent` alone. */
  agent?: AgentRights
  /** Of the token that they came with; undefined where it said none. */
  session?: string
  /** Of an agent that came by a job: the name by which its worker has registered. */
  worker?: string
  joinedAt: Date
  tracks: readonly MediaTrack[]
}

/** How far the media server is with a recording. From `complete` on it is over. */
export type RecordingProgress =
  | 'starting'
  | 'active'
  | 'ending'
  | 'complete'
  | 'failed'
  | 'aborted'
  | 'limit_reached'

/** What is recorded: names of the spec's label `request_type`. */
export type RecordingRequest = 'room_composite' | 'web' | 'participant' | 'track_composite' | 'track'

/** A file that a recording left. */
export interface RecordedFile {
  /** Key in the store of files. */
  key: string
  sizeBytes: number
  /** Undefined where the recorder does not tell. */
  durationSeconds: number | undefined
  /** Where the recorder says that it lies; for the log and for support. */
  location: string
  /** The recorder could not bring it into our store, and has put it into one of its own. */
  isElsewhere?: boolean
}

/** A recording as the media server tells of it. */
export interface MediaRecording {
  egressId: string
  /** As the media server knows the room. Empty where the recording has none. */
  room: string
  progress: RecordingProgress
  request: RecordingRequest
  /** Undefined until it really began. */
  startedAt: Date | undefined
  endedAt: Date | undefined
  updatedAt: Date | undefined
  /** Why it failed, in the vendor's words: for log and row, never for the wire. */
  error: string | undefined
  file: RecordedFile | undefined
  /** The recorder says that it left none; else it may not have said anything of files. */
  leftNoFile?: true
}

/** A recording of everything in a room to start. */
export interface RecordingStart {
  room: RoomId
  /** Where the file shall lie in the store of files. */
  fileKey: string
  /** How long to wait for an answer. */
  answerWithinSeconds: number
}

/** What became of a start. */
export type RecordingStarted =
  | { outcome: 'started'; recording: MediaRecording }
  /** It certainly does not run. `no-room`: the room is empty; `no-recorder`: none is free, or there are none. */
  | { outcome: 'refused'; reason: 'no-room' | 'no-recorder' | 'rejected'; detail: string }
  /** No answer came in time, or it was lost: it may run. Only the list of recordings can tell. */
  | { outcome: 'unknown'; cause: unknown }

/** What became of a stop. */
export type RecordingStopped =
  | { outcome: 'stopping'; recording: MediaRecording }
  /** It was over before. */
  | { outcome: 'over' }
  /** The media server does not know it, or no longer. */
  | { outcome: 'not-found' }

/** A stream brought in from outside that is running. */
export interface MediaIngress {
  ingressId: string
  /** `rtmp`, `whip`, `url`. */
  input: 'rtmp' | 'whip' | 'url'
  /** As the media server knows the room. */
  room: string
  startedAt: Date | undefined
}

/** Workers of a name that were asked into a room, and what they were told. */
export interface AskedWorkers {
  agentName: string
  metadata: string
}

/**
 * The media server: holds the rooms while people are in them, and records them. It forgets rooms when they are empty
 * or when it restarts; what must be remembered is ours. Not called inside a database transaction.
 */
export interface MediaPort {
  /**
   * Makes sure that a room is open, so that a token for it can be used. An open one stays as it is.
   * @throws ProviderFailure
   */
  openRoom(room: RoomId): Promise<void>
  /**
   * Ends the live session of a room: all participants are put out, and tokens for it are worth nothing until it is
   * opened again.
   * @returns false where it was not open
   * @throws ProviderFailure
   */
  closeRoom(room: RoomId): Promise<boolean>
  /** Signs a token for one room; the media server is not asked. The room must be open when it is used. */
  mintToken(token: JoinToken): Promise<string>
  /**
   * Gives a waiting guest the right to take part, and shows them to the others.
   * @returns false where they are not connected: nothing was changed
   * @throws ProviderFailure
   */
  admit(room: RoomId, identity: ParticipantIdentity): Promise<boolean>
  /**
   * Puts a participant out of a room. Their token lets them in again while it lives: one who must stay out is put out
   * again when they appear.
   * @returns false where they were not connected
   * @throws ProviderFailure
   */
  remove(room: RoomId, identity: ParticipantIdentity): Promise<boolean>
  /**
   * Gives a participant another name inside a room.
   * @param bot which bot it is: clients read it in the attribute `bot`, for workers choose their identity by themselves
   * @returns false where they are not connected
   * @throws ProviderFailure
   */
  rename(room: RoomId, identity: ParticipantIdentity, name: string, bot?: UserId): Promise<boolean>
  /**
   * Mutes a participant's track; they may unmute it again.
   * @returns false where it is not published
   * @throws ProviderFailure
   */
  mute(room: RoomId, identity: ParticipantIdentity, trackSid: string): Promise<boolean>
  /**
   * Asks for a worker of a name, which comes into the room as an agent. The room must be open. Where one of them has a job there it
   * stays as it is.
   * @throws ProviderFailure
   */
  askWorker(room: RoomId, wanted: AskedWorkers): Promise<void>
  /** The workers that a room was asked for, whether they have come or not. @throws ProviderFailure */
  askedWorkers(room: RoomId): Promise<AskedWorkers[]>
  /** Does without the workers of a name: those that are inside are sent away. @throws ProviderFailure */
  dismissWorkers(room: RoomId, agentName: string): Promise<void>
  /**
   * Sends a data packet of a topic to all who take part in a room; nothing where it is not open.
   * @throws ProviderFailure
   */
  sendData(room: RoomId, topic: string, data: object): Promise<void>
  /** Every live session of every room, of ours or not. @throws ProviderFailure */
  rooms(): Promise<MediaRoom[]>
  /**
   * All participants of a room, waiting guests and machinery included; none where it is not open. @throws
   * ProviderFailure
   */
  participants(room: string): Promise<MediaParticipant[]>
  /**
   * Starts to record a room. Which failures are certain and which are not is told apart in the answer.
   * @throws ProviderFailure where we are misconfigured (our key is refused)
   */
  startRecording(start: RecordingStart): Promise<RecordingStarted>
  /** Ends a recording; it is over only when a later event or the list says so. @throws ProviderFailure, also where the outcome is not known */
  stopRecording(egressId: string): Promise<RecordingStopped>
  /**
   * Recordings that the media server still knows, running or over (those for a day or so).
   * @param only of one room, or those that run
   * @throws ProviderFailure
   */
  recordings(only?: { room?: RoomId; egressId?: string; running?: boolean }): Promise<MediaRecording[]>
  /** Streams that are brought in at this moment. Empty where the server has no such service. @throws ProviderFailure */
  ingresses(): Promise<MediaIngress[]>
  /** Whether the media server can be reached and accepts our key. @throws ProviderFailure where not */
  check(): Promise<void>
}
