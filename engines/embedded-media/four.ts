import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { Pages } from './conformance.ts'
import type { OpenVisitor, Visitor } from './pages.ts'
import type { Figures } from './room-media.ts'
import { bring, colleague, type Scene } from './scene.ts'

/** Two, then four: what builds up with time shows where most is carried. */
const TWO_WATCHED_MS = 20_000
const FOUR_WATCHED_MS = 60_000
/** That it goes on arriving: how fast is told, for two processors also decode all twelve pictures. */
const FRAMES_MIN = 5
const SAMPLES_MIN = 96_000

/** As many as it is made for: what arrives is counted, and told. */
export async function tryFour(
  scene: Scene,
  { visitor, pages, camerasMax }: { visitor: OpenVisitor; pages: Pages; camerasMax: number | undefined },
  check: Check,
): Promise<void> {
  const others = [await visitor('first'), await visitor()]
  const all = [pages.adas, pages.graces, ...others]
  await check('two people: every picture and every sound arrives', () =>
    watch([pages.adas, pages.graces], TWO_WATCHED_MS),
  )
  await check('four people for a minute: every picture and every sound arrives', async () => {
    for (const [at, page] of others.entries()) {
      const member = await colleague(scene, `member-${at}@rooms.example`)
      await bring(page, member, scene.roomId, `Member ${at}`)
      await page.publish('camera')
      await page.publish('microphone')
    }
    for (const page of all)
      await page.until('three cameras and three microphones', ({ media }) => Object.keys(media).length === 6)
    await watch(all, FOUR_WATCHED_MS)
  })
  if (camerasMax !== undefined)
    await check('one camera more than the room can carry is refused, in words', async () => {
      const told = ({ said }: { said: string[] }) =>
        said.some((one) => /^atrium\.notice: .*as many cameras/.test(one))
      await Promise.all([
        assert.rejects(pages.adas.publishAnotherCamera()),
        pages.adas.until('Ada is told', told),
      ])
    })
  await check('those who leave are gone for the others', async () => {
    await Promise.all(others.map((page: Visitor) => page.leave()))
    await pages.adas.until('two are left', (state) => state.others.length === 1)
  })
}

/** What arrives is counted for so long, and told. */
async function watch(all: readonly Visitor[], forMs: number): Promise<void> {
  const before = await Promise.all(all.map((page) => page.figures()))
  await pause(forMs)
  const watched = async () => {
    const now = await Promise.all(all.map((page) => page.figures()))
    return now.flatMap((figures, at) => figures.map((one) => since(one, before[at] ?? [])))
  }
  console.error(summary(await watched(), forMs))
  // a machine that is busy with other things takes longer
  const enough = ({ media, frames, samples }: Figures) =>
    media.endsWith('camera') ? frames >= FRAMES_MIN : samples >= SAMPLES_MIN
  await eventually('all of it arrives', async () => (await watched()).every(enough), {
    ...{ withinMs: 240_000, everyMs: 1_000 },
  })
}

function since(now: Figures, before: readonly Figures[]): Figures {
  const then = before.find(({ media }) => media === now.media)
  return {
    ...now,
    frames: now.frames - (then?.frames ?? 0),
    samples: now.samples - (then?.samples ?? 0),
    freezes: now.freezes - (then?.freezes ?? 0),
    frozenSeconds: now.frozenSeconds - (then?.frozenSeconds ?? 0),
  }
}

function summary(watched: readonly Figures[], forMs: number): string {
  const cameras = watched.filter(({ media }) => media.endsWith('camera'))
  const sounds = watched.filter(({ media }) => media.endsWith('microphone'))
  const range = (values: number[]) => `${Math.min(...values)}–${Math.max(...values)}`
  const first = cameras.flatMap(({ firstPictureMs }) => firstPictureMs ?? []).sort((a, b) => a - b)
  const frozen = cameras.reduce((sum, { frozenSeconds }) => sum + frozenSeconds, 0)
  return [
    `    ${forMs / 1_000} s: ${cameras.length} cameras, ${range(cameras.map(({ frames }) => frames))} pictures each`,
    `${sounds.length} microphones, ${range(sounds.map(({ samples }) => samples))} samples each`,
    `${cameras.reduce((sum, { freezes }) => sum + freezes, 0)} freezes, ${frozen.toFixed(1)} s in all`,
    `first picture p50 ${Math.round(first[Math.floor(first.length / 2)] ?? 0)} ms`,
  ].join('; ')
}
