import { expect, it } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

it('work that many ask for is done once in its time, and all learn how it ended', async () => {
  let times = 0
  const work = atMostEvery(60_000, async () => {
    times += 1
    throw new Error('no')
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, work))
  expect([times, new Set(outcomes.map(({ status }) => status))]).toEqual([1, new Set(['rejected'])])
  const often = atMostEvery(0, async () => {
    times += 1
  })
  await often()
  await often()
  expect(times).toBe(3)
})
