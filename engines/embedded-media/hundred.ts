import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually, within } from '../waiting.ts'
import type { Scene } from './scene.ts'
import { CONNECTED_WITHIN_MS, join, speak, speakAndFilm } from './server-client.ts'

const TIMES = 100
/** Until then the process takes more, as it is not pressed to collect; from then on it does not. */
const FIRST_TIMES = 60
const MEMORY_MORE_MAX = 64 * 1024 * 1024
const SECONDS = 3
/** Of one core, when everybody has left. */
const IDLE_MAX = 0.1
const TICKS_PER_SECOND = 100

interface Held {
  sockets: number
  memoryBytes: number
}

/** Sockets, ports and memory of the process that carries media, after many have come and gone. Linux alone tells them. */
export async function tryHundred(scene: Scene, check: Check): Promise<void> {
  // its library stays open: it cannot begin again in one process, and what fails is tried again there
  await check('the client for servers joins too, is heard and seen, and hears and sees', () =>
    speakAndFilm(scene),
  )
  if (process.platform === 'linux')
    await check(`after ${TIMES} joins and leaves, everything is given back`, () => giveBack(scene))
}

async function giveBack(scene: Scene): Promise<void> {
  const pid = await mediaProcess(scene)
  await comeAndGo(scene, FIRST_TIMES)
  const before = await settled(pid)
  await comeAndGo(scene, TIMES)
  const after = await eventually(
    'the sockets are closed',
    async () => {
      const held = await heldBy(pid)
      return held.sockets <= before.sockets && held
    },
    { everyMs: 500 },
  )
  const ticks = await ticksOf(pid)
  await pause(SECONDS * 1_000)
  const idle = ((await ticksOf(pid)) - ticks) / TICKS_PER_SECOND / SECONDS
  const megabytes = ({ memoryBytes }: Held) => `${Math.round(memoryBytes / 1024 ** 2)} MB`
  console.log(
    `    before: ${before.sockets} sockets, ${megabytes(before)}; after: ${after.sockets} sockets, ` +
      `${megabytes(after)}, ${Math.round(idle * 100)} % of one core`,
  )
  assert.ok(after.memoryBytes - before.memoryBytes < MEMORY_MORE_MAX, 'the memory grows')
  assert.ok(idle < IDLE_MAX, 'it works, though nobody is there')
}

async function comeAndGo({ ada, roomId }: Scene, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const room = await join(ada, roomId)
    if (time % 2 === 0) await speak(room, { frames: 10 })
    await within('somebody leaves', room.disconnect(), CONNECTED_WITHIN_MS)
  }
}

async function mediaProcess({ url }: Scene): Promise<number> {
  const answer = await fetch(`${url}/sandbox/media`, { headers: { accept: 'application/json' } })
  const { mediaProcess } = (await answer.json()) as { mediaProcess?: number }
  assert.ok(mediaProcess !== undefined)
  return mediaProcess
}

/** When what was closed is closed. */
async function settled(pid: number): Promise<Held> {
  let last = await heldBy(pid)
  for (;;) {
    await pause(2_000)
    const now = await heldBy(pid)
    if (now.sockets >= last.sockets) return now
    last = now
  }
}

async function heldBy(pid: number): Promise<Held> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  return { sockets: (await readdir(`/proc/${pid}/fd`)).length, memoryBytes: kilobytes * 1024 }
}

/** Of the processor, its own and the system's for it. */
async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return Number(fields[11]) + Number(fields[12])
}
