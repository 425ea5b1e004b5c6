import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
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
