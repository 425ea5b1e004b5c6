import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchAbsence } from './absence.ts'

describe('a page that has slept', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('tells once after more than a minute, and not of a page that was awake', async () => {
    const onReturn = vi.fn()
    watchAbsence(onReturn)
    await vi.advanceTimersByTimeAsync(180_000)
    expect(onReturn).not.toHaveBeenCalled()
    vi.setSystemTime(Date.now() + 61_000)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(onReturn).toHaveBeenCalledTimes(1)
  })

  it('says nothing after half a minute, and nothing once it was stopped', async () => {
    const onReturn = vi.fn()
    const stop = watchAbsence(onReturn)
    vi.setSystemTime(Date.now() + 30_000)
    await vi.advanceTimersByTimeAsync(5_000)
    stop()
    vi.setSystemTime(Date.now() + 600_000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(onReturn).not.toHaveBeenCalled()
  })
})
