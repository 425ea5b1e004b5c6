import {
  AudioFrame,
  AudioSource,
  AudioStream,
  dispose,
  EncryptionType,
  LocalAudioTrack,
  type RemoteTrack,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLiveMedia, tokenFor } from '../../../tests/vendors/live-media.ts'

const SAMPLE_RATE = 48_000
const SAMPLES = SAMPLE_RATE / 100
const LOUD = 1_000

let media: Awaited<ReturnType<typeof openLiveMedia>>
const clients: Room[] = []

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 1, people: 3, waiting: 1 })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()))
  await dispose()
  await media.close()
})

async function enter(room: string, identity: string, key: string | undefined) {
  const client = new Room()
  clients.push(client)
  const received = Promise.withResolvers<{ track: RemoteTrack; publication: RemoteTrackPublication }>()
  client.on(RoomEvent.TrackSubscribed, (track, publication) => received.resolve({ track, publication }))
  const encryption = key
    ? { encryption: { keyProviderOptions: { sharedKey: new TextEncoder().encode(key) } } }
    : {}
  const url = media.baseUrl.replace('http', 'ws')
  const token = await tokenFor(room, identity)
  await client.connect(url, token, { autoSubscribe: true, dynacast: true, ...encryption } as never)
  return { client, received: received.promise }
}

async function speak({ client }: { client: Room }) {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  await client.localParticipant?.publishTrack(track, options)
  const tone = Int16Array.from({ length: SAMPLES }, (_, at) => 8_000 * Math.sin(at / 8))
  while (client.isConnected) await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, SAMPLES))
}

async function heard(track: RemoteTrack): Promise<boolean> {
  for await (const frame of new AudioStream(track) as unknown as AsyncIterable<AudioFrame>)
    if (frame.data.some((sample) => Math.abs(sample) > LOUD)) return true
  return false
}

it('who is inside with the same key sees that a track is sealed, and hears it', async () => {
  await media.rooms.createRoom({ name: 'sealed' })
  const ada = await enter('sealed', 'ada', 'a key of both')
  const grace = await enter('sealed', 'grace', 'a key of both')
  speak(ada).catch(() => undefined)
  const { track, publication } = await grace.received
  expect(publication.encryptionType).toBe(EncryptionType.GCM)
  expect(await heard(track)).toBe(true)
  // who comes later is told in the first message
  const alan = await enter('sealed', 'alan', 'a key of both')
  expect((await alan.received).publication.encryptionType).toBe(EncryptionType.GCM)
})

it('a track that is not sealed is not said to be', async () => {
  await media.rooms.createRoom({ name: 'open' })
  const [ada, grace] = [await enter('open', 'ada', undefined), await enter('open', 'grace', undefined)]
  speak(ada).catch(() => undefined)
  expect((await grace.received).publication.encryptionType).toBe(EncryptionType.NONE)
})
