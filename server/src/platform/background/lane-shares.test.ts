import { beforeEach, describe, expect, it } from 'vitest'
import { type LaneShares, type Receiver, shareLanes } from './lane-shares.ts'

describe('shareLanes', () => {
  let moment: number
  let shares: LaneShares
  beforeEach(() => {
    moment = 0
    shares = shareLanes({ one: 2, organization: 6, slow: 12 }, () => moment)
  })
  const takeAll = (targets: Receiver[]) =>
    targets.map((target) => shares.take(target)).filter((done) => done !== undefined)
  /** As many new ones, each of an organization of its own. */
  const some = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => ({ one: `${name} ${n}`, organization: `${name} ${n}` }))
  const at = new Date('2026-11-23T09:00:00.000Z')
  const secondsUntil = (turn: Date) => (turn.getTime() - at.getTime()) / 1_000

  it('gives one receiver two, and what it gives back again', () => {
    const target = { one: '1', organization: '1' }
    const [first] = takeAll([target, target])
    expect(shares.take(target)).toBeUndefined()
    first?.()
    expect(shares.take(target)).toBeDefined()
  })

  it('gives all receivers of an organization six', () => {
    const targets = Array.from({ length: 20 }, (_, n) => ({ one: `${n}`, organization: '1' }))
    expect(takeAll(targets)).toHaveLength(6)
    expect(takeAll(some(3, 'other'))).toHaveLength(3)
  })

  it('gives all slow ones together half, whosever they are', () => {
    const slow = some(30, 'slow')
    const done = takeAll(slow)
    moment += 9_000
    for (const end of done) end()
    expect(takeAll(slow)).toHaveLength(12)
    expect(takeAll(some(12, 'quick'))).toHaveLength(12)
  })

  it('counts who has been waited for as slow before they answer, and who answers at once again as quick', () => {
    const slow = some(12, 'slow')
    const done = takeAll(slow)
    moment += 1_000
    expect(takeAll(slow)).toHaveLength(0)
    for (const end of done) end()
    for (const end of takeAll(slow)) end()
    expect(takeAll([...slow, ...slow])).toHaveLength(24)
  })

  it('gives items that wait a turn each, as far apart as the receiver needs', () => {
    const target = { one: '1', organization: '1' }
    takeAll([target, target])
    expect([1, 2, 3].map(() => secondsUntil(shares.turnOf('1', at)))).toEqual([0.05, 0.055, 0.06])
    moment += 9_000
    expect([1, 2].map(() => secondsUntil(shares.turnOf('1', at)))).toEqual([4.56, 9.06])
    // of another one that has no deliveries waiting
    expect(secondsUntil(shares.turnOf('2', at))).toBe(0.05)
  })

  it('lets no event wait for longer than the longest pause', () => {
    const target = { one: '1', organization: '1' }
    takeAll([target, target])
    moment += 9_000
    const turns = Array.from({ length: 1_000 }, () => secondsUntil(shares.turnOf('1', at)))
    expect(Math.max(...turns)).toBe(600)
  })

  it('lets none wait behind those of before, once the webhook answers at once again', () => {
    const target = { one: '1', organization: '1' }
    const [first, second] = takeAll([target, target])
    moment += 9_000
    for (let n = 0; n < 100; n += 1) shares.turnOf('1', at)
    first?.()
    second?.()
    shares.take(target)?.()
    expect(secondsUntil(shares.turnOf('1', at))).toBe(0.05)
  })
})
