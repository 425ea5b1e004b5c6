import { describe, expect, it } from 'vitest'
import { lastedSeconds } from './lasted.ts'

const at = (seconds: number) => new Date(seconds * 1_000)

describe('how long something lasted', () => {
  it('is as told, else as its own times say, else as it is known', () => {
    const since = [at(10), at(20)]
    expect(lastedSeconds({ told: 3, since, until: at(50) })).toBe(3)
    expect(lastedSeconds({ since, until: at(50) })).toBe(40)
    expect(lastedSeconds({ since: [undefined, null, at(20)], until: at(50) })).toBe(30)
  })

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY, 91 * 86_400, undefined])(
    'is not told by %s',
    (told) => {
      expect(lastedSeconds({ told, since: [at(20)], until: at(50) })).toBe(30)
      expect(lastedSeconds({ told })).toBeUndefined()
    },
  )

  it('is not told by a beginning of years ago', () => {
    const now = Date.parse('2026-11-21T12:00:00Z') / 1_000
    expect(lastedSeconds({ since: [at(5)], until: at(now) })).toBeUndefined()
    expect(lastedSeconds({ since: [at(5), at(now - 30)], until: at(now) })).toBe(30)
  })

  it('is not told by a beginning at the end, or after it', () => {
    expect(lastedSeconds({ since: [at(50), at(60), at(49)], until: at(50) })).toBe(1)
    expect(lastedSeconds({ since: [at(50), at(60)], until: at(50) })).toBeUndefined()
    expect(lastedSeconds({ since: [at(50)] })).toBeUndefined()
  })
})
