import { describe, expect, it } from 'vitest'
import { type Pace, steadyRates } from './steady-rate.ts'

/** 600 in a minute, 100 of them at once, by a clock that stands still until it is moved. */
function open(options = { points: 600, seconds: 60, burst: 100, patienceSeconds: 0 }) {
  let moment = 1_000
  const { seconds, ...pace } = options
  const rates = steadyRates({ seconds, now: () => moment })
  const one = (key: string) => rates.take(key, pace)
  return {
    pass(seconds: number) {
      moment += seconds * 1_000
    },
    /** How many of so many are allowed. */
    take(key: string, count: number) {
      return Array.from({ length: count }, () => one(key)).filter(({ allowed }) => allowed).length
    },
    one,
    charge: (key: string, points: number) => rates.charge(key, points, pace),
    overdrawnSeconds: (key: string) => rates.overdrawnSeconds(key, pace),
  }
}

describe('a steady rate', () => {
  it('allows what was saved up at once, and then as many as are given little by little', () => {
    const rate = open()
    expect(rate.take('ada', 600)).toBe(100)
    rate.pass(1)
    expect(rate.take('ada', 600)).toBe(10)
    rate.pass(5)
    expect(rate.take('ada', 600)).toBe(50)
    expect(rate.take('ben', 600)).toBe(100)
  })

  it('saves up no more than that, however long nothing is taken', () => {
    const rate = open()
    rate.take('ada', 100)
    rate.pass(3_600)
    expect(rate.take('ada', 600)).toBe(100)
  })

  it('allows no more than the rate over any time, however hard it is tried', () => {
    const rate = open()
    let allowed = 0
    for (let tenth = 0; tenth < 600; tenth += 1) {
      allowed += rate.take('ada', 10)
      rate.pass(0.1)
    }
    expect(allowed).toBe(100 + 599)
  })

  it('tells what is left, when nothing is missing any more, and when to try again', () => {
    const rate = open()
    expect(rate.one('ada')).toMatchObject({ allowed: true, limit: 600, remaining: 599, resetSeconds: 1 })
    rate.take('ada', 98)
    expect(rate.one('ada')).toMatchObject({ allowed: true, limit: 600, remaining: 500, resetSeconds: 10 })
    expect(rate.one('ada')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 11, retrySeconds: 1 })
    rate.pass(0.5)
    expect(rate.one('ada')).toMatchObject({ allowed: true, remaining: 504 })
  })

  it('charges for what was done already: the next waits until that is paid, a window at most', () => {
    const rate = open()
    rate.take('ada', 100)
    rate.charge('ada', 30)
    rate.pass(2.9)
    expect(rate.one('ada')).toMatchObject({ allowed: false, retrySeconds: 1 })
    rate.pass(0.2)
    expect(rate.one('ada')).toMatchObject({ allowed: true })
    rate.charge('ada', 1_000_000)
    rate.pass(60)
    expect(rate.one('ada')).toMatchObject({ allowed: false })
    rate.pass(0.1)
    expect(rate.one('ada')).toMatchObject({ allowed: true })
  })

  it('lets who is patient wait for their turn, one after the other, and refuses who would wait too long', () => {
    const rate = open({ points: 600, seconds: 60, burst: 40, patienceSeconds: 2 })
    expect(rate.take('ada', 39)).toBe(39)
    expect(rate.one('ada').afterMs).toBe(0)
    const turns = Array.from({ length: 21 }, () => rate.one('ada'))
    expect(turns.slice(0, 3).map(({ afterMs }) => Math.round(afterMs))).toEqual([100, 200, 300])
    expect(turns.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: 20 }, () => true), false])
    expect(turns.at(-1)).toMatchObject({ remaining: 0, retrySeconds: 1, afterMs: 0 })
    rate.pass(0.1)
    expect(Math.round(rate.one('ada').afterMs)).toBe(2_000)
  })

  it('says of who took a point in time that more was charged since than they could have waited for', () => {
    const rate = open({ points: 600, seconds: 60, burst: 40, patienceSeconds: 2 })
    rate.take('ada', 60)
    expect(rate.overdrawnSeconds('ada')).toBeUndefined()
    rate.charge('ada', 30)
    expect(rate.overdrawnSeconds('ada')).toBe(3)
    expect(rate.overdrawnSeconds('ben')).toBeUndefined()
    rate.pass(3.1)
    expect(rate.overdrawnSeconds('ada')).toBeUndefined()
  })

  it('is none with 0 points', () => {
    const rate = open({ points: 0, seconds: 60, burst: 0, patienceSeconds: 2 })
    rate.charge('ada', 1_000)
    expect(rate.one('ada')).toMatchObject({ allowed: true, limit: 0 })
    expect(rate.overdrawnSeconds('ada')).toBeUndefined()
  })
})

describe('steady rates', () => {
  it('have a pace for each key', () => {
    const rates = steadyRates({ seconds: 60, now: () => 0 })
    const slow = { points: 60, burst: 1, patienceSeconds: 0 }
    const fast = { points: 600, burst: 3, patienceSeconds: 0 }
    const taken = (key: string, pace: Pace, count: number) =>
      Array.from({ length: count }, () => rates.take(key, pace).allowed)
    expect(taken('slow', slow, 2)).toEqual([true, false])
    expect(taken('fast', fast, 4)).toEqual([true, true, true, false])
    rates.charge('fast', 1, fast)
    expect(rates.overdrawnSeconds('fast', fast)).toBe(1)
    const none = { points: 0, burst: 0, patienceSeconds: 0 }
    expect(taken('none', none, 2)).toEqual([true, true])
    rates.charge('none', 1_000, none)
    expect(rates.overdrawnSeconds('none', none)).toBeUndefined()
  })
})
