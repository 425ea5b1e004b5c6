import { expect, it } from 'vitest'
import type { Run } from './runs.ts'
import { scenesOf } from './scenes.ts'

const run = (path: string, fromMs: number, toMs: number, isScreen = false): Run => ({
  ...{ path, fromMs, toMs, isScreen, size: { width: 640, height: 360 } },
})
const told = (runs: readonly Run[], endMs: number) =>
  scenesOf(runs, endMs).map(({ from, to, runs: seen }) => `${from}–${to} ${seen.map(({ path }) => path)}`)

it('changes whenever a picture comes or goes, at a frame that is not before it', () => {
  expect(told([run('ada', 0, 10_000), run('grace', 1_001, 4_000)], 10_000)).toEqual([
    '0–26 ada',
    '26–100 ada,grace',
    '100–250 ada',
  ])
})

it('is dark where nothing is seen, and covers the film to its end', () => {
  expect(told([], 130)).toEqual(['0–4 '])
  expect(told([run('ada', 500, 900)], 2_000)).toEqual(['0–13 ', '13–23 ada', '23–50 '])
})

it('is of sixteen pictures at most, with the latest screen among them', () => {
  const many = Array.from({ length: 20 }, (_, index) => run(`${index}`, 0, 1_000))
  const [scene] = scenesOf([...many, run('screen', 0, 1_000, true)], 1_000)
  expect(scene?.runs).toHaveLength(16)
  expect(scene?.runs.at(-1)?.path).toBe('screen')
  expect(scenesOf(many, 1_000)[0]?.runs).toHaveLength(16)
})
