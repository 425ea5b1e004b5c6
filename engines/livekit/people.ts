import {
  AudioFrame,
  AudioSource,
  type DisconnectReason,
  LocalAudioTrack,
  type Participant,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'
import { LIVEKIT } from './server.ts'

/** A connection of an official client to a room, and all that it has noticed. */
export interface Present {
  room: Room
  /** Identities whose media arrived. */
  heard: Set<string>
  /** Why the connection ended; undefined while it stands. */
  ended(): DisconnectReason | undefined
  sees(identity: string): boolean
  /** Begins to speak: a microphone with a tone. */
  speak(): Promise<void>
  leave(): Promise<void>
}

const SAMPLE_RATE = 48_000
const FRAME = SAMPLE_RATE / 100

export async function enter(token: string): Promise<Present> {
  const room = new Room()
  const heard = new Set<string>()
  let ended: DisconnectReason | undefined
  let speaking = true
  room.on(RoomEvent.TrackSubscribed, (_track, _publication, { identity }: Participant) => heard.add(identity))
  room.on(RoomEvent.Disconnected, (reason) => {
    ended = reason
    speaking = false
  })
  await room.connect(LIVEKIT.publicUrl, token, { autoSubscribe: true, dynacast: false })
  return {
    room,
    heard,
    ended: () => ended,
    sees: (identity) => [...room.remoteParticipants.values()].some((one) => one.identity === identity),
    async speak() {
      const source = new AudioSource(SAMPLE_RATE, 1)
      const track = LocalAudioTrack.createAudioTrack('microphone', source)
      const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
      await room.localParticipant?.publishTrack(track, options)
      const tone = Int16Array.from({ length: FRAME }, (_, at) => 8_000 * Math.sin(at / 8))
      void (async () => {
        while (speaking) await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, FRAME))
      })().catch(() => undefined)
    },
    async leave() {
      speaking = false
      await room.disconnect()
    },
  }
}

export async function until(what: string, condition: () => boolean | Promise<boolean>, withinMs = 20_000) {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it has not come true in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
