import assert from 'node:assert/strict'
import type { Check, Engine } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { chatPlaces } from './chat-places.ts'
import { framePlaces } from './frame-places.ts'
import { headerPlaces } from './header-places.ts'
import { BOUNDS, tryReader } from './judge.ts'
import { machinePlaces } from './machine-places.ts'
import { operationPlaces } from './operation-places.ts'
import type { Place } from './place.ts'
import { measureOf, openScene, type Scene } from './scene.ts'
import { scimPlaces } from './scim-places.ts'
import { type Measured, table } from './table.ts'

/** Before they read anything: what is measured then says nothing of the place. */
const UNREAD = new Set([401, 403, 405, 415, 429])
const FAULTS_SHOWN = 12

/** What one request may cost, at every place of the interface that takes a text (`engines/cost/README.md`). */
export const cost: Engine = {
  name: 'cost',
  about: `worst texts at every place that takes one: processor time of the office and its database, at most ${BOUNDS.ratioMax} times for twice the size`,
  install: async () =>
    process.platform === 'linux'
      ? undefined
      : 'only Linux tells the processor time of a thread (/proc/<pid>/schedstat)',
  async try(check) {
    const ends: Ends = []
    try {
      await tryPlaces(await openScene(ends), check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

/** All places of the interface. */
export async function placesOf(scene: Scene): Promise<Place[]> {
  return [
    ...operationPlaces(scene),
    ...headerPlaces(scene),
    ...(await scimPlaces(scene)),
    ...(await chatPlaces(scene)),
    ...machinePlaces(scene),
    ...framePlaces(scene),
  ]
}

async function tryPlaces(scene: Scene, check: Check): Promise<void> {
  const all: Measured[] = []
  for (const [group, members] of Map.groupBy(await placesOf(scene), (place) => place.group)) {
    const measured: Measured[] = []
    for (const place of members) measured.push(...(await tryPlace(scene, place)))
    all.push(...measured)
    const faults = measured.filter(({ fault }) => fault)
    await check(`${group}: ${members.length} places, ${measured.length / 2} texts`, async () => {
      assert.equal(faults.length, 0, told(faults))
    })
  }
  await check('what is measured is read, and not refused before', async () => {
    // a header is what such an answer is about
    const unread = all
      .filter(({ group }) => group !== 'headers')
      .filter(({ statuses }) => [...statuses].every((status) => UNREAD.has(status)))
    const lines = unread.map(({ name, text, statuses }) => `${name}, ${text}: ${[...statuses].join(' ')}`)
    assert.deepEqual([...new Set(lines)], [])
  })
  console.log(table(all))
}

/** Every worst text at one place. */
export async function tryPlace(
  scene: Scene,
  { group, name, worst, bytesMax, prepare }: Place,
): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const { name: text, make } of worst) {
    const statuses = new Set<number>()
    const measure = measureOf(
      scene,
      (bytes) => prepare(make(bytes)),
      (status) => statuses.add(status),
    )
    try {
      const trials = await tryReader(measure, bytesMax)
      measured.push(...trials.map((trial) => ({ ...trial, group, name, text, statuses })))
    } catch (error) {
      throw new Error(`${name}, ${text}: ${(error as Error).message}`, { cause: error })
    }
  }
  return measured
}

function told(faults: readonly Measured[]): string {
  const lines = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ name, text, part, fault }) => `${name}, ${text}, ${part}: ${fault}`)
  const more = faults.length - lines.length
  return [`${faults.length} cost too much`, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join(
    '\n    ',
  )
}
