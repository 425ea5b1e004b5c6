import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AtriumError } from '../errors.ts'
import { createWorkLoop } from './work-loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Milliseconds at which the work is done, each of it with the next of these ends. */
function loopOf(ends: (Error | undefined)[]) {
  const at: number[] = []
  const begun = Date.now()
  const loop = createWorkLoop({
    async work() {
      at.push(Date.now() - begun)
      const end = ends[at.length - 1]
      if (end) throw end
    },
    repeat: () => true,
    ...{ repeatMs: 100_000_000, repeatMaxMs: 6_000 },
  })
  return { at, loop }
}

it('what fails is tried again ever later, up to the longest pause, and at once after it has worked', async () => {
  const no = new Error('no')
  const { at, loop } = loopOf([no, no, no, no, no, no, no, undefined, no])
  loop.begin()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at).toEqual([0, 300, 900, 2_100, 4_500, 9_300, 15_300, 21_300])
  loop.begin()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(at.slice(8)).toEqual([60_000, 60_300])
  loop.close()
})

it('nothing is tried before the office wants it, whatever happens meanwhile, and nothing once it is closed', async () => {
  const refusal = { status: 429, code: 429, message: 'No', retryAfterSeconds: 20 }
  const { at, loop } = loopOf([
    new AtriumError('fetchRoomKey', refusal),
    new AtriumError('fetchRoomKey', { ...refusal, status: 503, retryAfterSeconds: 1e12 }),
  ])
  loop.begin()
  await vi.advanceTimersByTimeAsync(5_000)
  loop.begin()
  loop.plan(100, () => {})
  await vi.advanceTimersByTimeAsync(30_000)
  expect(at).toEqual([0, 20_000])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(at).toEqual([0, 20_000, 620_000])
  loop.close()
  loop.begin()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at).toHaveLength(3)
})

it('what is missing is asked about in time, however often something else happens', async () => {
  const asked: number[] = []
  const begun = Date.now()
  const loop = createWorkLoop({
    work: async () => {},
    repeat: () => void asked.push(Date.now() - begun) === undefined,
    ...{ repeatMs: 1_200, repeatMaxMs: 6_000 },
  })
  for (let time = 0; time < 6; time += 1) {
    loop.begin()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(asked).toEqual([1_200, 3_200, 5_200])
  loop.close()
})
