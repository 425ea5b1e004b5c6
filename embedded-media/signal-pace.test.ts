import { describe, expect, it } from 'vitest'
import { paceSignals } from './signal-pace.ts'

const KIB = 1024

describe('the pace of signals', () => {
  it('lets two mebibytes pass at once, then so many bytes a second, whatever comes of others', () => {
    let at = 0
    const { charge } = paceSignals(() => at)
    for (let offers = 0; offers < 32; offers += 1) expect(charge('mallory', 64 * KIB)).toBe(0)
    expect(charge('mallory', 64 * KIB)).toBe(1_000)
    expect(charge('mallory', 128 * KIB)).toBe(3_000)
    expect(charge('ada', 32 * KIB)).toBe(0)
    at += 4_000
    expect(charge('mallory', 64 * KIB)).toBe(0)
    expect(charge('mallory', 1)).toBeGreaterThan(0)
  })

  it('counts a message too: many short ones are as dear as a long one', () => {
    const { charge } = paceSignals(() => 0)
    const waits = Array.from({ length: 16_436 }, () => charge('mallory', 1))
    expect(waits.filter((wait) => wait > 0)).toHaveLength(52)
  })

  it('forgets those who have everything saved up again, and no others', () => {
    let at = 0
    const { charge } = paceSignals(() => at)
    charge('mallory', 4_096 * KIB)
    for (let n = 0; n < 20_000; n += 1) {
      at += 1
      charge(`guest ${n}`, 1)
    }
    expect(charge('mallory', 1)).toBeGreaterThan(0)
  })
})
