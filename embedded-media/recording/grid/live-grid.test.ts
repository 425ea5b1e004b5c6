import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Room } from '@livekit/rtc-node'
import { EgressStatus, EncodedFileOutput } from 'livekit-server-sdk'
import { expect, it } from 'vitest'
import { openLiveMedia, tokenFor, until } from '../../live-media-fixture.ts'
import { show, speak } from '../../voices-fixture.ts'
import { findFfmpeg } from './ffmpeg.ts'

const searchPath = process.env.PATH ?? ''
const hasFfmpeg = (await findFfmpeg(searchPath)) !== undefined

it.skipIf(!hasFfmpeg)('is made of two cameras of real clients, where ffmpeg is on the machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'live-grid-'))
  const kept: { key: string; contentType: string; bytes: number }[] = []
  const faults: unknown[] = []
  const media = await openLiveMedia(
    { cameras: 2, people: 3, waiting: 1 },
    {
      ...{ folder: join(folder, 'raw'), searchPath },
      async keepFilm({ key, path, contentType }) {
        kept.push({ key, contentType, bytes: (await stat(path)).size })
      },
    },
    { onWarning: (error) => void faults.push(error) },
  )
  const clients = [new Room(), new Room()]
  try {
    await media.rooms.createRoom({ name: 'grid' })
    for (const [index, client] of clients.entries()) {
      const token = await tokenFor('grid', `${index}`)
      await client.connect(media.baseUrl.replace('http', 'ws'), token, {
        autoSubscribe: true,
        dynacast: true,
      })
      void show(client)
    }
    void speak(clients[0] as Room)
    const output = new EncodedFileOutput({ filepath: 'films/1.mp4' })
    const { egressId } = await media.recorder.startRoomCompositeEgress('grid', output)
    const info = async () => (await media.recorder.listEgress({ egressId }))[0]
    await until(async () => (await info())?.status === EgressStatus.EGRESS_ACTIVE)
    await pause(4_000)
    await media.recorder.stopEgress(egressId)
    await until(async () => ((await info())?.endedAt ?? 0n) > 0n)
    expect(faults).toEqual([])
    expect(kept).toMatchObject([{ key: 'films/1.mp4', contentType: 'video/mp4' }])
    expect((await info())?.fileResults).toMatchObject([{ filename: 'films/1.mp4' }])
  } finally {
    await Promise.all(clients.map((client) => client.disconnect()))
    await media.close()
    await rm(folder, { recursive: true, force: true })
  }
})
