import {
  EncryptionType,
  type RemoteTrack,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
} from '@livekit/rtc-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLiveMedia, tokenFor } from '../live-media-fixture.ts'
import { isHeard, speak } from '../voices-fixture.ts'

let media: Awaited<ReturnType<typeof openLiveMedia>>
const clients: Room[] = []

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 1, people: 3, waiting: 1 })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()))
  await media.close()
})

async function enter(room: string, identity: string, key: string | undefined, grant: object = {}) {
  const client = new Room()
  clients.push(client)
  const received = Promise.withResolvers<{ track: RemoteTrack; publication: RemoteTrackPublication }>()
  client.on(RoomEvent.TrackSubscribed, (track, publication) => received.resolve({ track, publication }))
  const encryption = key
    ? { encryption: { keyProviderOptions: { sharedKey: new TextEncoder().encode(key) } } }
    : {}
  const url = media.baseUrl.replace('http', 'ws')
  const token = await tokenFor(room, identity, grant)
  await client.connect(url, token, { autoSubscribe: true, dynacast: true, ...encryption } as never)
  return { client, received: received.promise }
}

it('who is inside with the same key sees that a track is sealed, and hears it', async () => {
  await media.rooms.createRoom({ name: 'sealed' })
  const ada = await enter('sealed', 'ada', 'a key of both')
  const grace = await enter('sealed', 'grace', 'a key of both')
  speak(ada.client).catch(() => undefined)
  const { track, publication } = await grace.received
  expect(publication.encryptionType).toBe(EncryptionType.GCM)
  expect(await isHeard(track)).toBe(true)
  // who comes later is told in the first message
  const alan = await enter('sealed', 'alan', 'a key of both')
  expect((await alan.received).publication.encryptionType).toBe(EncryptionType.GCM)
})

it('a track that is not sealed is not said to be', async () => {
  await media.rooms.createRoom({ name: 'open' })
  const [ada, grace] = [await enter('open', 'ada', undefined), await enter('open', 'grace', undefined)]
  speak(ada.client).catch(() => undefined)
  expect((await grace.received).publication.encryptionType).toBe(EncryptionType.NONE)
})

it('whose token is of a sealed room publishes no track that is not, and is told why', async () => {
  await media.rooms.createRoom({ name: 'sealed alone' })
  const grace = await enter('sealed alone', 'grace', 'a key of both', { encryptedOnly: true })
  const alan = await enter('sealed alone', 'alan', undefined, { encryptedOnly: true })
  const refused = new Promise<string>((tell) => {
    alan.client.on(RoomEvent.DataReceived, (words) => tell(new TextDecoder().decode(words)))
  })
  speak(alan.client).catch(() => undefined)
  expect(await refused).toContain('sealed')
  const ada = await enter('sealed alone', 'ada', 'a key of both', { encryptedOnly: true })
  speak(ada.client).catch(() => undefined)
  expect((await grace.received).publication.encryptionType).toBe(EncryptionType.GCM)
  const tracks = (await media.rooms.listParticipants('sealed alone')).map(({ identity, tracks }) => [
    identity,
    tracks.length,
  ])
  expect(Object.fromEntries(tracks)).toEqual({ grace: 0, alan: 0, ada: 1 })
  const published = media.told.filter(({ event }) => event === 'track_published')
  expect(published.at(-1)).toMatchObject({ participant: { identity: 'ada' }, track: { encryption: 'GCM' } })
})
