import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node'
import { openPicture, PICTURE } from './drawn-person.ts'

/** A colleague in a room with a voice and a picture, by LiveKit's client for servers. */
export interface Presence {
  leave(): Promise<void>
}

const SAMPLE_RATE = 48_000
const SAMPLES = SAMPLE_RATE / 100
/** They are drawn for an office that is looked at, not for a cinema. */
const PICTURE_EVERY_MS = 250
const TURN_SECONDS = 5
const SILENCE = new Int16Array(SAMPLES)

/** Those who are in the room with media, in the order they came: they speak in turns. */
const inTurn: symbol[] = []

/** @param id of the person: how they look and sound */
export async function enterWithMedia(
  { url, token }: { url: string; token: string },
  id: string,
): Promise<Presence> {
  const room = new Room()
  await room.connect(url, token, { autoSubscribe: false, dynacast: false })
  const me = Symbol(`person ${id}`)
  inTurn.push(me)
  const isSpeaking = () => inTurn.length > 1 && speakerAt(secondsNow()) === me
  const stops = [await speak(room, Number(id), isSpeaking), await film(room, id, isSpeaking)]
  return {
    async leave() {
      inTurn.splice(inTurn.indexOf(me), 1)
      for (const stop of stops) stop()
      await room.disconnect()
    },
  }
}

const secondsNow = () => performance.now() / 1_000
const speakerAt = (seconds: number) => inTurn[Math.floor(seconds / TURN_SECONDS) % inTurn.length]

async function speak(room: Room, number: number, isSpeaking: () => boolean): Promise<() => void> {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  await room.localParticipant?.publishTrack(track, options)
  let isOver = false
  const run = async () => {
    for (let frame = 0; !isOver; frame += 1) {
      const samples = isSpeaking() ? murmur(number, frame) : SILENCE
      await source.captureFrame(new AudioFrame(samples, SAMPLE_RATE, 1, SAMPLES))
    }
  }
  // a connection that has ended takes no more
  void run().catch(() => undefined)
  return () => {
    isOver = true
  }
}

async function film(room: Room, id: string, isSpeaking: () => boolean): Promise<() => void> {
  const { width, height } = PICTURE
  const pictureAt = await openPicture(id)
  const source = new VideoSource(width, height)
  const track = LocalVideoTrack.createVideoTrack('camera', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
  await room.localParticipant?.publishTrack(track, options)
  const timer = setInterval(() => {
    const picture = pictureAt(secondsNow(), isSpeaking())
    source.captureFrame(new VideoFrame(picture, width, height, VideoBufferType.I420))
  }, PICTURE_EVERY_MS)
  return () => clearInterval(timer)
}

/** A hundredth of a second of a voice without words. */
function murmur(number: number, frame: number): Int16Array {
  const pitch = 95 + (number % 7) * 18
  return Int16Array.from({ length: SAMPLES }, (_, at) => {
    const time = (frame * SAMPLES + at) / SAMPLE_RATE
    const syllable =
      Math.max(0, Math.sin(2 * Math.PI * 3.1 * time)) * Math.max(0, Math.sin(2 * Math.PI * 0.6 * time) + 0.6)
    const voice = [1, 2, 3, 4].reduce((sum, n) => sum + Math.sin(2 * Math.PI * pitch * n * time) / n, 0)
    return 5_000 * syllable * voice
  })
}
