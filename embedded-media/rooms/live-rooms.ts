import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TokenKeys } from '../api/access-tokens.ts'
import type { Transcribe } from '../captions/live-captions.ts'
import type { ServerData } from '../messages.ts'
import type { RecordingReport } from '../process/start-media-process.ts'
import type { Clock } from '../timers.ts'
import type { Asked } from './remote-calls.ts'
import type { NewParticipant, Participant, Room, Rooms, Track } from './rooms.ts'

export interface LiveLimits {
  /** Where media goes; undefined: an ordinary address of this machine. */
  address: string | undefined
  /** Cameras of one room at a time. */
  cameras: number
  /** People in one room, but for those who wait. */
  people: number
  /** Those who wait before one room. */
  waiting: number
}

export interface LiveNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  limits: LiveLimits
  onWarning(error: unknown, message: string): void
  onRecorded(report: RecordingReport): void
  /** The process that carries media has died, and with it all sessions. */
  onEnded(): void
  onActivity?: ((heard: Heard) => void) | undefined
  /** Where it is undefined, captions cannot be asked for. */
  transcribe?: Transcribe | undefined
}

/** Voice and mute of a participant, as far as the media server can hear. */
export interface Heard {
  /** The name of the room. */
  room: string
  identity: string
  sound: 'on' | 'muted' | 'off'
  speaking: boolean
}

/** Those who are in rooms with a real client. Who is where is kept by `rooms`; here it is what their connections say. */
export interface LiveRooms {
  /** Begins to start the process that carries media. */
  start(): void
  /** Whether there is no place: those who wait keep only others who wait out. An admitted guest has one. */
  isFull(room: Room, newcomer: NewParticipant): boolean
  enter(room: Room, newcomer: NewParticipant, request: Upgrade): void
  /** A client comes back after its signals broke off: to its own session in that room, and to no other. */
  resume(sid: string, who: { room: Room; identity: string }, request: Upgrade): void
  update(participant: Participant): void
  /** Something else is said of the room now. */
  describe(room: Room): void
  mute(participant: Participant, track: Track): void
  /** Chooses for a participant what is received, as the client itself would. */
  subscribe(participant: Participant, trackSids: string[], subscribe: boolean): void
  /** Calls a method in the client of a participant. @returns its answer @throws MediaFault */
  call(participant: Participant, asked: Asked): Promise<string>
  /** Says something to those who are in the room, as the server. */
  sendData(room: Room, data: ServerData): void
  /** Everything in the room goes to this recording from now on, into a folder that is there. @returns false: nothing does */
  record(room: Room, order: { recording: string; folder: string; isGrid: boolean }): boolean
  /** @returns false where no report will say that it is written */
  endRecording(recording: string): boolean
  /** A participant who is out of the room here is put out there. */
  remove(participant: Participant, reason: string): void
  /** The process that carries media has died, and the next one is not ready yet. */
  isAway(): boolean
  /** The process that carries media; undefined while there is none. */
  pid(): number | undefined
  /** Ends the process that carries media, as an accident would: everybody is out, and another is started. */
  kill(): void
  /** The same, without a word. */
  crash(): void
  close(): Promise<void>
}

/** A WebSocket that a client asks for. */
export interface Upgrade {
  request: IncomingMessage
  socket: Socket
  head: Buffer
}
