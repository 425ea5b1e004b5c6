import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAtriumClient } from './index.ts'
import { createOfficeTime } from './office-time.ts'

const MINUTE = 60_000
const NOON = Date.UTC(2026, 10, 27, 12)
const saying = (moment: number) => new Headers({ date: new Date(moment).toUTCString() })

/** A machine with a monotonic clock and a clock that the test sets. */
function machine(clock: number) {
  let monotonic = 5_000
  vi.spyOn(Date, 'now').mockImplementation(() => clock)
  const time = createOfficeTime(() => monotonic)
  return {
    time,
    pass(milliseconds: number) {
      monotonic += milliseconds
      clock += milliseconds
    },
    set(next: number) {
      clock = next
    },
    at: () => monotonic,
  }
}

describe('the time of the office', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is that of the machine until the office has told', () => {
    expect(machine(NOON).time.now()).toBe(NOON)
  })

  it.each([40, -40])('is right on a machine that is %i minutes off', (minutes) => {
    const { time, at, pass } = machine(NOON + minutes * MINUTE)
    time.heard(saying(NOON), at())
    expect(Math.abs(time.now() - NOON)).toBeLessThanOrEqual(1_000)
    pass(30 * MINUTE)
    expect(Math.abs(time.now() - NOON - 30 * MINUTE)).toBeLessThanOrEqual(1_000)
  })

  it('stays right where the clock is set while the page is open', () => {
    const { time, at, set, pass } = machine(NOON)
    time.heard(saying(NOON), at())
    set(NOON - 40 * MINUTE)
    pass(MINUTE)
    expect(Math.abs(time.now() - NOON - MINUTE)).toBeLessThanOrEqual(1_000)
  })

  it('is narrowed by every answer, and does not take the way of a slow one for time', () => {
    const { time, at, pass } = machine(NOON)
    const asked = at()
    pass(8_000)
    time.heard(saying(NOON + 4_000), asked)
    expect(Math.abs(time.now() - NOON - 8_000)).toBeLessThanOrEqual(4_500)
    for (let second = 0; second < 20; second += 1) {
      pass(950)
      time.heard(saying(Math.floor((NOON + 8_000 + 950 * (second + 1)) / 1_000) * 1_000), at())
    }
    expect(Math.abs(time.now() - NOON - 27_000)).toBeLessThan(100)
  })

  it('is taken anew after a sleep, in which a monotonic clock may stand', () => {
    const { time, at } = machine(NOON)
    time.heard(saying(NOON), at())
    time.heard(saying(NOON + 60 * MINUTE), at())
    expect(Math.abs(time.now() - NOON - 60 * MINUTE)).toBeLessThanOrEqual(1_000)
  })

  it('is not read from an answer that a cache has kept, nor from nonsense', () => {
    const { time, at } = machine(NOON)
    time.heard(new Headers({ date: new Date(0).toUTCString(), age: '60' }), at())
    time.heard(new Headers({ date: 'yesterday' }), at())
    time.heard(new Headers(), at())
    expect(time.now()).toBe(NOON)
  })

  it('is heard with every call', async () => {
    const office = createAtriumClient({
      baseUrl: 'http://office.example',
      fetch: async () => new Response('{}', { headers: saying(NOON) }),
    })
    await office.call('getCurrentUser')
    expect(Math.abs(office.time.now() - NOON)).toBeLessThan(60_000)
  })
})
