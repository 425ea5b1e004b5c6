import { setTimeout as pause } from 'node:timers/promises'
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'

const SAMPLE_RATE = 48_000
const PIECE = SAMPLE_RATE / 100
const PAUSE_MS = 1_500

/** Speaks into a microphone of a room, again and again with pauses, until the client has left. */
export async function sayAgainAndAgain(client: Room, samples: Buffer): Promise<void> {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  await client.localParticipant?.publishTrack(track, options)
  const all = new Int16Array(samples.buffer, samples.byteOffset, Math.floor(samples.length / 2))
  while (client.isConnected) {
    for (let at = 0; at + PIECE <= all.length && client.isConnected; at += PIECE)
      await source.captureFrame(new AudioFrame(all.slice(at, at + PIECE), SAMPLE_RATE, 1, PIECE))
    await pause(PAUSE_MS)
  }
}
