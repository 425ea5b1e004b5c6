import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AtriumError } from '../errors.ts'
import { createRefresher } from './refresher.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => void vi.useRealTimers())

const refusal = (status: number, retryAfterSeconds?: number) =>
  new AtriumError('listRooms', {
    ...{ status, code: status, message: 'no' },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

function reading(failures: Error[]) {
  const times: number[] = []
  const began = performance.now()
  const refresher = createRefresher({
    async read() {
      times.push(performance.now() - began)
      const failure = failures.shift()
      if (failure) throw failure
    },
    onRead() {},
    onError() {},
    gatherMs: 100,
  })
  return { times, refresher }
}

it('reads again by itself what failed, later each time', async () => {
  const { times, refresher } = reading([new TypeError(), refusal(503), refusal(502)])
  void refresher.now()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times).toEqual([0, 500, 1_500, 3_500])
})

it('does not ask before the office wants it, nor again what is refused for good', async () => {
  const { times, refresher } = reading([refusal(429, 30), refusal(403)])
  void refresher.now()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(times).toEqual([0, 30_000])
})

it('ends with its screen', async () => {
  const { times, refresher } = reading([new TypeError(), new TypeError()])
  void refresher.now()
  await vi.advanceTimersByTimeAsync(100)
  refresher.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times).toEqual([0])
})

it('lets a long reading come to its end while there are ever more reasons for another', async () => {
  let found = 0
  const refresher = createRefresher({
    read: () => new Promise<number>((resolve) => setTimeout(() => resolve(1), 1_000)),
    onRead: (one) => {
      found += one
    },
    onError() {},
    gatherMs: 100,
  })
  void refresher.now()
  for (let reason = 0; reason < 50; reason += 1) {
    refresher.soon()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(found).toBeGreaterThanOrEqual(4)
  refresher.close()
})

it('reads nothing any more once it is closed', async () => {
  const { times, refresher } = reading([])
  refresher.close()
  refresher.soon()
  void refresher.now()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
