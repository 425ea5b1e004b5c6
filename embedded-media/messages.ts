/** What a participant may do in a room: the fields of LiveKit's permission, which a change replaces as a whole. */
export interface Permission {
  canSubscribe: boolean
  canPublish: boolean
  canPublishData: boolean
  canUpdateMetadata: boolean
  hidden: boolean
  recorder: boolean
  agent: boolean
}

/** Whether there is anything to publish on a connection of their own. */
export function mayUsePublisher({ permission }: Pick<Person, 'permission'>): boolean {
  return permission.canPublish || permission.canPublishData
}

/** A person as the office knows them; who may come in, and as whom, is decided there. */
export interface Person {
  /** Of this connection. */
  sid: string
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  /** As the media server's API says it: `STANDARD`, `AGENT`, … */
  kind: string
  joinedAtMs: number
  permission: Permission
  /** May publish encrypted tracks alone, as their token says. */
  encryptedOnly: boolean
}

export interface RoomDescription {
  sid: string
  name: string
  metadata: string
  createdAtMs: number
  isRecorded: boolean
  /** Each of those inside may ask for captions. */
  hasCaptions: boolean
}

/** A WebSocket handshake that the office has judged: its socket travels beside the message. */
export interface Handshake {
  url: string
  headers: Record<string, string | string[] | undefined>
  /** What the client sent after the request, base64. */
  head: string
}

/** Why a participant is put out: names of LiveKit's `DisconnectReason`. */
export type LeaveReason =
  | 'CLIENT_INITIATED'
  | 'DUPLICATE_IDENTITY'
  | 'SERVER_SHUTDOWN'
  | 'PARTICIPANT_REMOVED'
  | 'ROOM_DELETED'
  | 'STATE_MISMATCH'
  | 'JOIN_FAILURE'
  | 'SIGNAL_CLOSE'
  | 'CONNECTION_TIMEOUT'

/** What the holder of the API key says to a room (`SendData`). */
export interface ServerData {
  /** Base64. */
  payload: string
  /** Base64: clients drop what they have seen with it before. */
  nonce: string
  topic: string
  kind: 'reliable' | 'lossy'
  /** For whom it is; where both are empty, for all. */
  identities: readonly string[]
  sids: readonly string[]
}

/** A method that the holder of the API key calls in a client (`PerformRpc`). */
export interface RemoteCall {
  id: string
  method: string
  payload: string
  responseTimeoutMs: number
}

export type RemoteAnswer =
  | { is: 'acknowledged'; id: string }
  | { is: 'answered'; id: string; payload: string }
  | { is: 'failed'; id: string; error: { code: number; message: string; data: string } }

/** From the office to the media server. */
export type Order =
  | { order: 'join'; handshake: Handshake; room: RoomDescription; person: Person }
  | { order: 'resume'; handshake: Handshake; sid: string }
  | { order: 'update'; person: Person }
  /** The same room, of which something else is said now. */
  | { order: 'describe'; room: RoomDescription }
  | { order: 'data'; room: string; data: ServerData }
  | { order: 'mute'; sid: string; trackSid: string; muted: boolean }
  | { order: 'subscribe'; sid: string; trackSids: string[]; subscribe: boolean }
  | { order: 'call'; sid: string; call: RemoteCall }
  /** A newer token, with which the client begins again where it must. */
  | { order: 'refresh'; sid: string; token: string }
  | { order: 'remove'; sid: string; reason: LeaveReason }
  /** Of a room by its sid, into a folder that is there; for a grid, with the pictures of everybody. */
  | { order: 'record'; room: string; recording: string; folder: string; isGrid: boolean }
  | { order: 'end-recording'; recording: string }
  | { order: 'caption'; room: string; caption: Caption }

/** What one person has said, for those who want captions. */
export interface Caption {
  id: string
  identity: string
  trackSid: string
  text: string
}

/** A track as the office lists it; enums by LiveKit's names. */
export interface PublishedTrack {
  sid: string
  name: string
  source: string
  type: string
  muted: boolean
  /** `GCM`, `CUSTOM`; left out where it is not encrypted. */
  encryption?: string
}

/** From the media server to the office. */
export type Report =
  | { report: 'ready' }
  /** Something was thrown: for the log, which is the other process's to write. */
  | { report: 'fault'; fault: { name: string; message: string; stack: string | undefined } }
  | { report: 'active'; sid: string }
  /** All of it is written. */
  | { report: 'recorded'; recording: string }
  /** Nothing more of it can be written. */
  | { report: 'recording-failed'; recording: string; reason: string }
  | { report: 'left'; sid: string; reason: LeaveReason }
  | { report: 'published'; sid: string; track: PublishedTrack }
  | { report: 'unpublished'; sid: string; trackSid: string }
  | { report: 'muted'; sid: string; trackSid: string; muted: boolean }
  | { report: 'called'; sid: string; answer: RemoteAnswer }
  | { report: 'speaking'; sid: string; speaking: boolean }
  /** A stretch of what one person says: Ogg with Opus, base64. */
  | { report: 'spoken'; sid: string; trackSid: string; seconds: number; sound: string }
  | { report: 'described'; sid: string; name: string; metadata: string; attributes: Record<string, string> }

/** What the child process is started with, in its arguments. */
export interface MediaLimits {
  /** IPv4 address that media is sent from and received at. */
  address: string
  /** Cameras of one room at a time. */
  cameras: number
}
