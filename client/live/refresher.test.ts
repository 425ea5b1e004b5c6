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
