import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  LocalVideoTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
  VideoStream,
} from '@livekit/rtc-node'
import { within } from '../waiting.ts'
import type { Member, Scene } from './scene.ts'

export const CONNECTED_WITHIN_MS = 30_000
const SAMPLE_RATE = 48_000
const SAMPLES = SAMPLE_RATE / 100
const PICTURE = { width: 320, height: 240, everyMs: 100 }
/** Of each that the other must have received: of sound a tenth of a second, of pictures the first and two that follow. */
const SOUNDS = 10
const PICTURES = 3

/** Comes into a room with LiveKit's client for servers. */
export async function join({ client }: Member, roomId: string): Promise<Room> {
  const { url = '', token } = await client.call('authorizeRoom', { roomId, username: 'Somebody' })
  const room = new Room()
  const joining = room.connect(url, token, { autoSubscribe: true, dynacast: true })
  await within('somebody joins', joining, CONNECTED_WITHIN_MS)
  return room
}

/** @param frames of a hundredth of a second: that many, then the microphone is silent */
export async function speak(room: Room, { frames }: { frames: number }): Promise<void> {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  await room.localParticipant?.publishTrack(track, options)
  const tone = Int16Array.from({ length: SAMPLES }, (_, at) => 8_000 * Math.sin(at / 8))
  for (let frame = 0; frame < frames && room.isConnected; frame += 1)
    await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, SAMPLES))
}

/** Two of them: each receives what the other says and shows. */
export async function speakAndFilm({ ada, grace, roomId }: Scene): Promise<void> {
  const [adas, graces] = [await join(ada, roomId), await join(grace, roomId)]
  const received = Promise.all([adas, graces].map(bothArrive))
  for (const room of [adas, graces]) {
    speak(room, { frames: Number.POSITIVE_INFINITY }).catch(() => undefined)
    await film(room)
  }
  try {
    await within('each hears and sees the other', received, CONNECTED_WITHIN_MS)
  } finally {
    await Promise.all([adas.disconnect(), graces.disconnect()])
  }
}

/** A grey picture, as long as they are inside. */
async function film(room: Room): Promise<void> {
  const { width, height, everyMs } = PICTURE
  const source = new VideoSource(width, height)
  const track = LocalVideoTrack.createVideoTrack('camera', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
  await room.localParticipant?.publishTrack(track, options)
  const grey = new Uint8Array((width * height * 3) / 2).fill(128)
  const timer = setInterval(() => {
    if (room.isConnected) source.captureFrame(new VideoFrame(grey, width, height, VideoBufferType.I420))
    else clearInterval(timer)
  }, everyMs)
}

async function bothArrive(room: Room): Promise<void> {
  const [sound, pictures] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  room.on(RoomEvent.TrackSubscribed, (track: RemoteTrack) => {
    const isVideo = track.kind === TrackKind.KIND_VIDEO
    const done = isVideo ? pictures : sound
    const stream = isVideo ? new VideoStream(track) : new AudioStream(track)
    count(stream, isVideo ? PICTURES : SOUNDS).then(done.resolve, done.reject)
  })
  await Promise.all([sound.promise, pictures.promise])
}

async function count(stream: AsyncIterable<unknown>, wanted: number): Promise<void> {
  let arrived = 0
  for await (const _ of stream) {
    arrived += 1
    if (arrived === wanted) return
  }
}
