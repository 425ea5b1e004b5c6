import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import type { Round } from './rounds.ts'

const REQUEST = 200
const TRIALS = 200

/** The same numbers each time. @returns numbers from 0 to below 1 */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What else runs on the machine: up to 8 % on each sample, and now and then much more. */
function noisy(random: () => number): number {
  return (1 + 0.08 * random()) * (random() < 0.15 ? 1 + random() : 1)
}

function roundsOf(dearer: number, count: number, seed: number): Round[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => ({
    earlier: REQUEST * noisy(random),
    now: REQUEST * dearer * noisy(random),
  }))
}

/** As the engine decides: five rounds, and ten more where those are red. */
function isRed(dearer: number, seed: number, bought?: number): boolean {
  const five = roundsOf(dearer, 5, seed)
  if (!judge(five, bought).red) return false
  return judge([...five, ...roundsOf(dearer, 10, seed + 10_000)], bought).red
}

function redOf(dearer: number, bought?: number): number {
  return Array.from({ length: TRIALS }, (_, seed) => isRed(dearer, seed + 1, bought)).filter(Boolean).length
}

describe('the judge of speed', () => {
  it('is red where every request is 15 % dearer', () => {
    expect(judge(Array.from({ length: 5 }, () => ({ earlier: 200, now: 230 })))).toEqual({
      ratio: 200 / 230,
      ratioMin: 0.9,
      red: true,
    })
  })

  it('finds 15 % through the noise of a machine in four of five runs, and 25 % almost always', () => {
    expect(redOf(1.15)).toBeGreaterThan(TRIALS * 0.8)
    expect(redOf(1.25)).toBeGreaterThan(TRIALS * 0.9)
  })

  it('is not red for noise alone, nor for what is cheaper', () => {
    expect(redOf(1)).toBe(0)
    expect(redOf(0.8)).toBe(0)
  })

  it('is not red where two rounds of five are disturbed on one side', () => {
    const calm = { earlier: 200, now: 204 }
    const disturbed = { earlier: 200, now: 420 }
    expect(judge([calm, disturbed, calm, disturbed, calm]).red).toBe(false)
  })

  it('lets pass what was bought, and no more', () => {
    expect(redOf(1.15, 0.87)).toBe(0)
    expect(redOf(1.5, 0.87)).toBeGreaterThan(TRIALS * 0.9)
  })

  it('is red where nothing could be measured', () => {
    expect(judge([{ earlier: Number.NaN, now: 200 }]).red).toBe(true)
  })
})
