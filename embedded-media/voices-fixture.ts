import { setTimeout as pause } from 'node:timers/promises'
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  LocalVideoTrack,
  type RemoteTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node'

const SAMPLE_RATE = 48_000
const SAMPLES = SAMPLE_RATE / 100
const LOUD = 1_000

/** A tone, until the client has left. */
export async function speak(client: Room): Promise<void> {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  await client.localParticipant?.publishTrack(track, options)
  const tone = Int16Array.from({ length: SAMPLES }, (_, at) => 8_000 * Math.sin(at / 8))
  while (client.isConnected) await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, SAMPLES))
}

/** Whether something is heard of a track, and no silence. */
export async function isHeard(track: RemoteTrack): Promise<boolean> {
  for await (const frame of new AudioStream(track) as unknown as AsyncIterable<AudioFrame>)
    if (frame.data.some((sample) => Math.abs(sample) > LOUD)) return true
  return false
}

const [WIDTH, HEIGHT] = [320, 240]
const PICTURES_A_SECOND = 20

/** A picture that changes all the time, until the client has left. */
export async function show(client: Room): Promise<void> {
  const source = new VideoSource(WIDTH, HEIGHT)
  const track = LocalVideoTrack.createVideoTrack('camera', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
  await client.localParticipant?.publishTrack(track, options)
  for (let shown = 0; client.isConnected; shown += 1) {
    const pixels = new Uint8Array((WIDTH * HEIGHT * 3) / 2).fill(128)
    pixels.fill((shown * 5) % 256, 0, WIDTH * HEIGHT)
    source.captureFrame(new VideoFrame(pixels, WIDTH, HEIGHT, VideoBufferType.I420))
    await pause(1_000 / PICTURES_A_SECOND)
  }
}
