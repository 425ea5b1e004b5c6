import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { run } from '../../commands.ts'
import { MEDIA_SETTINGS } from '../../python/rooms.ts'
import { sceneOf } from '../scene.ts'
import { buildGo, type Command, pythonWith, sourceOf } from '../toolchains.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'

/** LiveKit's SDKs for backends: two people in a room of the office, and the API of the media server about them. */

const [GO, PYTHON] = ['v2.19.0', '1.2.1']

export const BACKENDS: readonly Walk[] = [
  {
    software: `LiveKit's SDK for Go ${GO}: its API, sound and data in a room`,
    needs: 'go',
    async walk(office, folder) {
      await copyFile(sourceOf('rooms/rooms.go'), join(folder, 'rooms.go'))
      await meets(office, await buildGo(folder, [`github.com/livekit/server-sdk-go/v2 ${GO}`]))
    },
  },
  {
    software: `LiveKit's SDK for Python ${PYTHON}: sound, pictures, data and calls in a room`,
    needs: 'python3',
    async walk(office) {
      await meets(office, [await pythonWith([`livekit==${PYTHON}`]), sourceOf('rooms/meet.py')])
    },
  },
]

async function meets(office: OfficeOfWalks, [program, ...args]: Command): Promise<void> {
  const { url, ada, grace } = await sceneOf(office)
  // of its own: connections of another walk may still be leaving theirs
  const { room } = await ada.client.call('createRoom', { name: `Backend ${Date.now()}` })
  const enter = async ({ client }: typeof ada) =>
    await client.call('authorizeRoom', { roomId: room.id, username: 'Somebody' })
  const [adas, graces] = [await enter(ada), await enter(grace)]
  const { video } = decodeJwt<{ video: { room: string } }>(adas.token)
  const env = {
    ...{ MEDIA: url, KEY: 'sandbox', SECRET: MEDIA_SETTINGS.LIVEKIT_API_SECRET },
    ...{ URL: adas.url ?? '', ADA: adas.token, GRACE: graces.token, ROOM: video.room },
  }
  assert.match(await run(program, args, { env }), /^all of it$/m)
}
