import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openBrowsers, openFrontEnd, type Visitor } from '../engines/embedded-media/pages.ts'
import type { Figures } from '../engines/embedded-media/room-media.ts'
import type { RoomState } from '../engines/embedded-media/room-page.ts'
import { bring, colleague, type Member, openScene, type Scene } from '../engines/embedded-media/scene.ts'
import { openFreshOffice } from '../engines/fresh-office.ts'
import { livekitProgram } from '../engines/livekit/program.ts'
import { LIVEKIT, livekitServer } from '../engines/livekit/server.ts'
import { eventually } from '../engines/waiting.ts'
import type { Ends } from './opening.ts'
import { processorTime } from './processor-time.ts'
import { ascending, quantile } from './statistics.ts'

/** People with cameras and microphones, in a room of the one media server or the other. */
export interface TalkSide {
  talk(people: 2 | 4, seconds: number): Promise<Talk>
}

export interface Talk {
  /** Of the media server, in a second of talk. */
  processorMs: number
  memoryMb: number
  /** Of the office's event loop. */
  loopP99Ms: number
  picturesPerSecond: number
  /** p50, from the news of a camera. */
  firstPictureMs: number
}

const SETTLED_MS = 2_000
/** The office makes its metrics again after a while: asked more often than that. */
const LOOK_MS = 500

/** @returns what this machine lacks */
export function missingMediaStage(exists: (path: string) => boolean): string | undefined {
  if (process.platform !== 'linux') return 'processor time of others is told by Linux alone'
  if (!ordinaryInterface()) return 'browsers want an ordinary network interface'
  return exists(livekitProgram())
    ? undefined
    : '`npm run test:engines livekit` has not built a LiveKit here, and no LIVEKIT_BIN names one'
}

/** Both offices with the same pages, one after the other in use. */
export async function openMediaStage(ends: Ends): Promise<{ embedded: TalkSide; livekit: TalkSide }> {
  const frontEnd = await openFrontEnd(ends)
  const settings = { ALLOWED_ORIGINS: frontEnd, RATE_LIMIT_PER_USER: '0' }
  const found = ordinaryInterface()
  const server = livekitServer('http://127.0.0.1:9', { interfaces: 'lo', address: '127.0.0.1', ...found })
  ends.push(() => server.stop())
  await server.start()
  const livekit = {
    LIVEKIT_URL: LIVEKIT.url,
    LIVEKIT_API_KEY: LIVEKIT.apiKey,
    LIVEKIT_API_SECRET: LIVEKIT.apiSecret,
    LIVEKIT_PUBLIC_URL: LIVEKIT.publicUrl,
  }
  const offices = [
    await openFreshOffice({ ...settings, MEDIA_SWEEP_SECONDS: '0' }, ends),
    await openFreshOffice({ ...settings, ...livekit, MEDIA_SWEEP_SECONDS: '0' }, ends),
  ] as const
  const visitor = await openBrowsers(frontEnd, ends)
  const pages = [
    await visitor('first'),
    await visitor('second'),
    await visitor('first'),
    await visitor('second'),
  ]
  return {
    embedded: await openSide(offices[0], pages, () => mediaProcess(offices[0])),
    livekit: await openSide(offices[1], pages, async () => server.pid() ?? 0),
  }
}

async function openSide(
  url: string,
  pages: readonly Visitor[],
  pidOf: () => Promise<number>,
): Promise<TalkSide> {
  const scene = await openScene(url)
  const members = [
    scene.ada,
    scene.grace,
    await colleague(scene, 'alan@rooms.example'),
    await colleague(scene, 'mary@rooms.example'),
  ]
  return {
    async talk(people, seconds) {
      const inside = pages.slice(0, people)
      try {
        await comeIn(scene, inside, members)
        await pause(SETTLED_MS)
        return await watch(url, { inside, seconds, pid: await pidOf() })
      } finally {
        await Promise.all(inside.map((page) => page.leave()))
      }
    },
  }
}

async function comeIn(scene: Scene, pages: readonly Visitor[], members: readonly Member[]): Promise<void> {
  for (const [at, page] of pages.entries()) {
    const member = members[at] as Member
    // a room that everybody has left a moment ago may end just now: the next token opens it again
    const comesIn = () =>
      bring(page, member, scene.roomId, `Member ${at}`).then(
        () => true,
        () => false,
      )
    await eventually('somebody comes in', comesIn, { everyMs: 1_000 })
  }
  for (const page of pages) {
    await page.publish('camera')
    await page.publish('microphone')
  }
  const tracks = 2 * (pages.length - 1)
  for (const page of pages)
    await page.until('everybody is there', ({ media }) => Object.keys(media).length === tracks)
  const seen = await Promise.allSettled(
    pages.map((page) =>
      page.until('every camera is seen', ({ media }) =>
        Object.entries(media).every(([name, { frames }]) => !name.endsWith('camera') || frames > 0),
      ),
    ),
  )
  if (seen.every(({ status }) => status === 'fulfilled')) return
  const states = await Promise.all(pages.map((page) => page.state()))
  throw new Error(
    `a camera is not seen by everybody; sent and received: ${JSON.stringify(states.map(pictures))}`,
  )
}

/** Of one page: how many of each it has encoded, by layer, and decoded, by camera. */
function pictures({ sent, media }: RoomState): object {
  const cameras = Object.entries(media).filter(([name]) => name.endsWith('camera'))
  return { sent, received: Object.fromEntries(cameras.map(([name, { frames }]) => [name, frames])) }
}

async function watch(
  url: string,
  { inside, seconds, pid }: { inside: readonly Visitor[]; seconds: number; pid: number },
): Promise<Talk> {
  const figures = async () => (await Promise.all(inside.map((page) => page.figures()))).flat()
  const cameras = (all: readonly Figures[]) => all.filter(({ media }) => media.endsWith('camera'))
  const frames = (all: readonly Figures[]) => cameras(all).reduce((sum, one) => sum + one.frames, 0)
  const [before, processor, began] = [await figures(), processorTime(pid) ?? Number.NaN, performance.now()]
  const lags: number[] = []
  while (performance.now() - began < seconds * 1_000) {
    await pause(LOOK_MS)
    lags.push(await loopP99(url))
  }
  const took = (performance.now() - began) / 1_000
  const used = ((processorTime(pid) ?? Number.NaN) - processor) / 1_000
  const after = await figures()
  const first = ascending(cameras(after).flatMap(({ firstPictureMs }) => firstPictureMs ?? []))
  return {
    processorMs: used / took,
    memoryMb: memoryOf(pid),
    loopP99Ms: quantile(ascending(lags), 0.5),
    picturesPerSecond: (frames(after) - frames(before)) / took / cameras(after).length,
    firstPictureMs: quantile(first, 0.5),
  }
}

async function loopP99(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text()
  const value = /^nodejs_eventloop_lag_p99_seconds(?:\{.*\})? (\S+)$/m.exec(page)?.[1]
  return Number(value) * 1_000
}

async function mediaProcess(url: string): Promise<number> {
  const answer = await fetch(`${url}/sandbox/media`, { headers: { accept: 'application/json' } })
  return ((await answer.json()) as { mediaProcess?: number }).mediaProcess ?? 0
}

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

function ordinaryInterface(): { interfaces: string; address: string } | undefined {
  for (const [interfaces, addresses = []] of Object.entries(networkInterfaces()))
    for (const { family, internal, address } of addresses)
      if (family === 'IPv4' && !internal) return { interfaces, address }
  return undefined
}
