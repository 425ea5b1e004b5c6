import {
  AudioFrame,
  AudioSource,
  type DisconnectReason,
  LocalAudioTrack,
  LocalVideoTrack,
  type Participant,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node'
import { eventually, within } from '../waiting.ts'
import { LIVEKIT } from './server.ts'

/** A connection of an official client to a room, and all that it has noticed. */
export interface Present {
  room: Room
  /** Identities whose media arrived. */
  heard: Set<string>
  /** Why the connection ended; undefined while it stands. */
  ended(): DisconnectReason | undefined
  sees(identity: string): boolean
  /** Begins to speak: a microphone with a tone. @returns the SID of the track */
  speak(): Promise<string>
  /** Shows a camera: a picture that does not move. @returns the SID of the track */
  film(): Promise<string>
  leave(): Promise<void>
}

const SAMPLE_RATE = 48_000
const FRAME = SAMPLE_RATE / 100
/** The native client has been seen to answer nothing at all after it was moved to another server. */
const ANSWERS_WITHIN_MS = 30_000
const PICTURE = { width: 320, height: 240, everyMs: 100 }

/** What a client has been asked for. @throws Error where it answers nothing at all */
export function answers<Result>(work: Promise<Result>): Promise<Result> {
  return within('the client answers', work, ANSWERS_WITHIN_MS)
}

export async function enter(token: string, url: string = LIVEKIT.publicUrl): Promise<Present> {
  const room = new Room()
  const heard = new Set<string>()
  let ended: DisconnectReason | undefined
  let speaking = true
  room.on(RoomEvent.TrackSubscribed, (_track, _publication, { identity }: Participant) => heard.add(identity))
  room.on(RoomEvent.Disconnected, (reason) => {
    ended = reason
    speaking = false
  })
  await answers(room.connect(url, token, { autoSubscribe: true, dynacast: false }))
  return {
    room,
    heard,
    ended: () => ended,
    sees: (identity) => [...room.remoteParticipants.values()].some((one) => one.identity === identity),
    async speak() {
      const source = new AudioSource(SAMPLE_RATE, 1)
      const track = LocalAudioTrack.createAudioTrack('microphone', source)
      const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
      const publication = await room.localParticipant?.publishTrack(track, options)
      const tone = Int16Array.from({ length: FRAME }, (_, at) => 8_000 * Math.sin(at / 8))
      void (async () => {
        while (speaking) await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, FRAME))
      })().catch(() => undefined)
      return publication?.sid ?? ''
    },
    async film() {
      const { width, height, everyMs } = PICTURE
      const source = new VideoSource(width, height)
      const track = LocalVideoTrack.createVideoTrack('camera', source)
      const options = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
      const publication = await room.localParticipant?.publishTrack(track, options)
      const grey = new Uint8Array((width * height * 3) / 2).fill(128)
      const timer = setInterval(() => {
        if (speaking) source.captureFrame(new VideoFrame(grey, width, height, VideoBufferType.I420))
        else clearInterval(timer)
      }, everyMs)
      return publication?.sid ?? ''
    },
    async leave() {
      speaking = false
      await within('a client has left', room.disconnect(), ANSWERS_WITHIN_MS)
    },
  }
}

export function until(what: string, condition: () => boolean | Promise<boolean>, withinMs = 20_000) {
  return eventually(what, condition, { withinMs, everyMs: 50 })
}
