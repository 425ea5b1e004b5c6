import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Room } from '@livekit/rtc-node'
import { EgressStatus, EncodedFileOutput } from 'livekit-server-sdk'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, FilePathSource, Input } from 'mediabunny'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLiveMedia, tokenFor, until } from '../live-media-fixture.ts'
import { show, speak } from '../voices-fixture.ts'
import type { SpeechFile } from './speech/speech.ts'

let media: Awaited<ReturnType<typeof openLiveMedia>>
let folder: string
let kept: string
/** What keeping a film waits for. */
let mayKeep: Promise<unknown> | undefined
let speech: (SpeechFile & { sound: Uint8Array<ArrayBuffer> })[] = []
const clients: Room[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'films-'))
  kept = join(folder, 'kept.webm')
  media = await openLiveMedia(
    { cameras: 2, people: 3, waiting: 1 },
    {
      folder: join(folder, 'raw'),
      withSpeech: true,
      async keepFilm({ path, speech: written = [] }) {
        await mayKeep
        await copyFile(path, kept)
        speech = await Promise.all(
          written.map(async (one) => ({ ...one, sound: new Uint8Array(await readFile(one.path)) })),
        )
      },
    },
  )
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()))
  await media.close()
  await rm(folder, { recursive: true, force: true })
})

async function enter(room: string, identity: string) {
  const client = new Room()
  clients.push(client)
  const token = await tokenFor(room, identity)
  await client.connect(media.baseUrl.replace('http', 'ws'), token, { autoSubscribe: true, dynacast: true })
  return client
}

async function record(room: string) {
  const output = new EncodedFileOutput({ filepath: 'films/1.mp4' })
  const { egressId } = await media.recorder.startRoomCompositeEgress(room, output)
  const info = async () => (await media.recorder.listEgress({ egressId }))[0]
  await until(async () => (await info())?.status === EgressStatus.EGRESS_ACTIVE)
  return {
    egressId,
    async ended() {
      await until(async () => ((await info())?.endedAt ?? 0n) > 0n)
      return await info()
    },
  }
}

it('shows and says what was shown and said in a room', async () => {
  await media.rooms.createRoom({ name: 'film' })
  const ada = await enter('film', 'ada')
  void speak(ada)
  void show(ada)
  const { egressId, ended } = await record('film')
  await pause(4_000)
  await media.recorder.stopEgress(egressId)
  const info = await ended()
  expect(info).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE, error: '' })
  expect(info?.fileResults).toMatchObject([{ filename: 'films/1.webm', location: 'films/1.webm' }])
  const film = new Input({ source: new FilePathSource(kept), formats: ALL_FORMATS })
  expect(await film.getMimeType()).toContain('video/webm')
  const [picture, sound] = [await film.getPrimaryVideoTrack(), await film.getPrimaryAudioTrack()]
  expect([picture?.codec, sound?.codec]).toEqual(['vp8', 'opus'])
  const seconds = await film.computeDuration()
  expect(seconds).toBeGreaterThan(3)
  expect(Math.abs(seconds - Number(info?.fileResults[0]?.duration) / 1e9)).toBeLessThan(0.2)
  const first = picture && (await new EncodedPacketSink(picture).getFirstPacket())
  expect(first?.type).toBe('key')
  const [said, ...more] = speech
  expect([said?.identity, said?.name, more]).toEqual(['ada', '', []])
  const [from = 0, to = 0] = [said?.from, said?.to]
  expect(from).toBeGreaterThanOrEqual(0)
  expect(to - from).toBeGreaterThan(2.5)
  const stretch = new Input({
    source: new BufferSource(said?.sound ?? new Uint8Array()),
    formats: ALL_FORMATS,
  })
  expect(await stretch.getMimeType()).toBe('audio/ogg; codecs="opus"')
  expect(Math.abs((await stretch.computeDuration()) - (to - from))).toBeLessThan(0.1)
  // nothing of it is left beside the film
  expect(await readdir(join(folder, 'raw'))).toEqual([])
})

it('ends with the last who was there, and is silence where nothing was said or shown', async () => {
  await media.rooms.createRoom({ name: 'silent' })
  const { egressId, ended } = await record('silent')
  await pause(500)
  await media.rooms.deleteRoom('silent')
  expect(await ended()).toMatchObject({
    egressId,
    status: EgressStatus.EGRESS_COMPLETE,
    details: 'End reason: Source closed',
    error: '',
    fileResults: [{ size: expect.anything() }],
  })
})

it('is made of what there is where the process that carries media was killed', async () => {
  await media.rooms.createRoom({ name: 'killed' })
  const ada = await enter('killed', 'ada')
  void speak(ada)
  const { ended } = await record('killed')
  await pause(2_500)
  media.media.live?.kill()
  const info = await ended()
  expect(info).toMatchObject({
    status: EgressStatus.EGRESS_COMPLETE,
    details: 'End reason: The media process ended',
  })
  expect(await secondsOf(kept)).toBeGreaterThan(1.5)
})

it('is made after its room is told that it is recorded no longer: a long one takes minutes', async () => {
  const keeping = Promise.withResolvers<void>()
  mayKeep = keeping.promise
  await media.rooms.createRoom({ name: 'long' })
  void speak(await enter('long', 'ada'))
  const { egressId, ended } = await record('long')
  const isRecorded = async () => (await media.rooms.listRooms(['long']))[0]?.activeRecording
  expect(await isRecorded()).toBe(true)
  await pause(1_000)
  await media.recorder.stopEgress(egressId)
  await until(async () => (await isRecorded()) === false)
  const [info] = await media.recorder.listEgress({ egressId })
  expect(info?.status).toBe(EgressStatus.EGRESS_ENDING)
  keeping.resolve()
  mayKeep = undefined
  expect(await ended()).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE })
})

it('is made by the next life of a server that was killed, be it while it was recorded or while it was kept', async () => {
  const rooms = ['being recorded', 'being kept']
  const egressIds: string[] = []
  for (const room of rooms) {
    await media.rooms.createRoom({ name: room })
    void speak(await enter(room, 'ada'))
    egressIds.push((await record(room)).egressId)
  }
  await pause(2_500)
  mayKeep = new Promise(() => undefined)
  await media.recorder.stopEgress(egressIds[1] as string)
  await until(async () => (await readdir(join(folder, 'raw', egressIds[1] as string))).includes('film.webm'))
  media.media.crash()
  await rm(kept)
  const next = await openLiveMedia(
    { cameras: 2, people: 3, waiting: 1 },
    { folder: join(folder, 'raw'), keepFilm: ({ path }) => copyFile(path, kept) },
  )
  try {
    await until(() => next.told.filter(({ event }) => event === 'egress_ended').length === rooms.length)
    for (const [at, egressId] of egressIds.entries()) {
      const [info] = await next.recorder.listEgress({ egressId })
      expect(info).toMatchObject({
        roomName: rooms[at],
        status: EgressStatus.EGRESS_COMPLETE,
        details: 'End reason: the server ended',
      })
      expect(Number(info?.fileResults[0]?.duration) / 1e9).toBeGreaterThan(1.5)
    }
    expect(await secondsOf(kept)).toBeGreaterThan(1.5)
    expect(await readdir(join(folder, 'raw'))).toEqual([])
  } finally {
    await next.close()
  }
})

async function secondsOf(path: string): Promise<number> {
  const film = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  return await film.computeDuration()
}
