import type { Store } from '@atrium/client/store'
import type { VideoTrack } from 'livekit-client'
import type { CallEnd } from './call/call-end.ts'
import type { DeviceKind } from './devices/device-choice.ts'
import type { DeviceProblem } from './devices/device-problem.ts'
import type { OpenSealing, SealingState } from './sealing/sealing.ts'
import type { Reaction } from './signals/room-signal.ts'

export type SourceKind = 'microphone' | 'camera' | 'screen'

export type Connection = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown'

/** What floats over a person's picture for a moment. */
export interface ShownReaction {
  id: number
  identity: string
  reaction: Reaction
}

/** What one person has said. */
export interface CaptionLine {
  id: string
  identity: string
  name: string
  text: string
}

/** A person in the room, as everybody there sees and hears them. */
export interface PersonInCall {
  identity: string
  /** Of the connection, as the media server names it: another one each time they come in. */
  sid: string
  name: string
  isOwn: boolean
  isGuest: boolean
  /** A bot: of no count of people. */
  isBot: boolean
  /** Which bot it is; undefined of people, and of a worker that the office has not introduced yet. */
  botId: string | undefined
  /** They can be heard. */
  microphone: boolean
  speaking: boolean
  /** When they spoke last, in milliseconds; 0: never. */
  spokeAt: number
  connection: Connection
  camera: VideoTrack | undefined
  screen: VideoTrack | undefined
}

export interface CallState {
  phase: 'outside' | 'connecting' | 'inside' | 'reconnecting' | 'ended'
  /** Where `phase` is `ended`. */
  end: CallEnd | undefined
  /** Oneself first, then in order of coming. */
  people: readonly PersonInCall[]
  /** The bots in the room, in the order they came in. */
  bots: readonly PersonInCall[]
  /** Guests who wait may not. */
  mayPublish: boolean
  /** Who spoke last of the others. */
  speaker: string | undefined
  /** Identities of those whose hand is up, first raised first. */
  hands: readonly string[]
  reactions: readonly ShownReaction[]
  recording: boolean
  /** It is recorded, and one has not agreed: microphone and camera stay closed until one does. */
  asksConsent: boolean
  /** A recording has begun while one was inside, and one has not said yet that one stays. */
  recordingBegun: boolean
  /** Names of bots that are in the room or on their way, as it was told at the entrance; none once that was read. */
  toldBots: readonly string[]
  /** Names of bots that came later: the microphone stays closed until one goes on. */
  newBots: readonly string[]
  /** Whether the person of the call reads captions; undefined: they cannot be asked for. */
  captions: 'on' | 'off' | undefined
  /** Whether a participant reads them: what is said is written down. */
  captionsMade: boolean
  /** The latest of them, for those who read them. */
  captionLines: readonly CaptionLine[]
  /** The browser plays nothing before something is pressed. */
  soundBlocked: boolean
  /** What of one's own could not be opened. */
  problem: { kind: SourceKind; problem: DeviceProblem } | undefined
  /** Of a sealed room. */
  sealing: SealingState | undefined
}

export const OUTSIDE: CallState = {
  phase: 'outside',
  end: undefined,
  people: [],
  bots: [],
  mayPublish: false,
  speaker: undefined,
  hands: [],
  reactions: [],
  recording: false,
  asksConsent: false,
  recordingBegun: false,
  toldBots: [],
  newBots: [],
  captions: undefined,
  captionsMade: false,
  captionLines: [],
  soundBlocked: false,
  problem: undefined,
  sealing: undefined,
}

/** What lets a person in once: where, and as whom. */
export interface Ticket {
  token: string
  url: string | undefined
  /** Names of the bots that are inside, and of those that will come. */
  bots: readonly string[]
}

/** How a person is in a room, as their own client says it. */
export interface SaidActivity {
  sound: 'on' | 'muted'
  speaking: boolean
  hand: boolean
}

/** How a person comes into a room, and what is told of them there. */
export interface Entrance {
  /** @param lastSid of an automatic return: the connection before, which takes nothing over from another device */
  getTicket(lastSid: string | undefined): Promise<Ticket>
  /** Answers nothing where the room is not sealed. Rejects with `CannotSeal` where this browser cannot. */
  getSealing?(): Promise<OpenSealing | undefined>
  /** The media server gives other rights: a guest was let in. */
  onPermissions?(): void
  /** May reject: it is said again soon. */
  tellActivity?(said: SaidActivity): Promise<unknown>
}

export interface JoinWith {
  microphone: boolean
  camera: boolean
  /** Ids of devices; "" for what the system takes. */
  microphoneId: string
  cameraId: string
  speakerId: string
  suppressNoise: boolean
  /** To be recorded, where a recording runs already. */
  agreed: boolean
  /** Names of bots that were shown on the screen before; undefined: there was none. */
  seenBots?: readonly string[]
}

/** Being in a room, outside React: nothing that is rendered ends it. */
export interface Call extends Store<CallState> {
  /** Rejects as `getTicket` does; what the media server says is in the state. */
  join(choices: JoinWith): Promise<void>
  /** To be recorded, by the recording that runs: what was closed for want of it is opened. */
  agree(): Promise<void>
  /** The bots that were told of are known: a microphone that was closed for them is opened. Never rejects. */
  heedBots(): Promise<void>
  /** Never rejects: `problem` of the state says what is wrong. */
  set(kind: SourceKind, on: boolean): Promise<void>
  /** Never rejects: a device that cannot be taken leaves the one before. */
  chooseDevice(kind: DeviceKind, id: string): Promise<void>
  /** Takes noise of the room out of what is said, or leaves it in. Never rejects. */
  suppressNoise(on: boolean): Promise<void>
  raiseHand(on: boolean): void
  /** Never rejects: `captions` of the state says whether they come. */
  readCaptions(on: boolean): Promise<void>
  react(reaction: Reaction): void
  /** After something was pressed, where `soundBlocked`. */
  playSound(): Promise<void>
  forgetProblem(): void
  /** The changed keys of colleagues are known from now on. */
  acceptKeys(): void
  leave(): Promise<void>
}
