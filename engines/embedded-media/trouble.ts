import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { Pages } from './conformance.ts'
import { bring, type Scene } from './scene.ts'

/** The process that carries media dies: alone, and with all that was known of the rooms. */
export async function tryTrouble(scene: Scene, pages: Pages, check: Check): Promise<void> {
  const { adas, graces } = pages
  const { ada, grace, url } = scene
  const act = async (name: string) => {
    const done = await fetch(`${url}/sandbox/media/${name}`, { method: 'POST' })
    assert.equal(done.status, 200)
  }
  const mediaPart = async () => {
    const health = await (await fetch(`${url}/health/ready`)).json()
    return (health as { parts: Record<string, string> }).parts.media
  }
  const bothReceive = async () => {
    for (const source of ['microphone', 'camera']) {
      await adas.receives(`${grace.id} ${source}`)
      await graces.receives(`${ada.id} ${source}`)
    }
  }
  await check(
    'the process that carries media is killed: the office says so, and clients come back',
    async () => {
      const before = {
        adas: (await adas.state()).events.length,
        graces: (await graces.state()).events.length,
      }
      await act('kill-media')
      await eventually('the office says so', async () => (await mediaPart()) === 'degraded')
      await eventually('all is well again', async () => (await mediaPart()) === 'ok')
      for (const [name, page] of Object.entries(pages) as ['adas' | 'graces', typeof adas][])
        await page.until('back again', ({ events }) => events.slice(before[name]).includes('reconnected'))
      await bothReceive()
    },
  )
  await check(
    'rooms and all are forgotten: the sweep ends them, and whoever asks again comes in',
    async () => {
      const sessions = () => openRooms(scene)
      await eventually('a room is open', async () => (await sessions()) === 1)
      await act('crash')
      await eventually('the sweep ends the room', async () => (await sessions()) === 0)
      for (const page of [adas, graces]) await page.leave()
      await bring(adas, ada, scene.roomId, 'Ada')
      await bring(graces, grace, scene.roomId, 'Grace')
      for (const page of [adas, graces]) {
        await page.publish('camera')
        await page.publish('microphone')
      }
      await bothReceive()
    },
  )
}

/** As the office counts them. */
async function openRooms({ url, organizationId }: Scene): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text
    .split('\n')
    .find((one) => one.startsWith('rtc_room_active{') && one.includes(`org_id="${organizationId}"`))
  return Number(line?.split(' ').at(-1) ?? 0)
}
