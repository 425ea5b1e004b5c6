import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPace, type Pace } from './pace.ts'

let times: number[]
let faults: unknown[]
let work: () => Promise<boolean>
let pace: Pace

beforeEach(() => {
  vi.useFakeTimers()
  times = []
  faults = []
  work = async () => true
  const counted = () => {
    times.push(Math.round(performance.now()))
    return work()
  }
  pace = openPace({ everyMs: 1_000, gatherMs: 50 }, counted, (error) => faults.push(error))
})
afterEach(() => {
  pace.stop()
  vi.useRealTimers()
})

const after = async (ms: number) => {
  const began = performance.now()
  await vi.advanceTimersByTimeAsync(ms)
  return times.splice(0).map((at) => Math.round(at - began))
}

it('is done at once, and then at most once a second, however often it is asked for', async () => {
  for (let asked = 0; asked < 5; asked += 1) pace.soon()
  expect(await after(60)).toEqual([50])
  pace.soon()
  expect(await after(980)).toEqual([])
  expect(await after(20)).toEqual([10])
  expect(await after(5_000)).toEqual([])
})

it('is not delayed by a turn in which there was nothing to do', async () => {
  work = async () => false
  pace.soon()
  await after(100)
  pace.soon()
  expect(await after(60)).toEqual([50])
})

it('is done once more for what was asked for meanwhile, also where it failed', async () => {
  const waiting = Promise.withResolvers<boolean>()
  work = () => waiting.promise
  pace.soon()
  await after(60)
  pace.soon()
  expect(await after(5_000)).toEqual([])
  work = async () => true
  waiting.reject(new Error('away'))
  expect(await after(60)).toEqual([50])
  expect(faults).toHaveLength(1)
})

it('is not done any more once it was stopped', async () => {
  pace.soon()
  pace.stop()
  expect(await after(5_000)).toEqual([])
})
