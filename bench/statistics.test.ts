import { describe, expect, it } from 'vitest'
import { quantile, spreadOf } from './statistics.ts'

describe('statistics', () => {
  it('find the quantiles of a sorted list', () => {
    expect([0, 0.25, 0.5, 0.9, 1].map((q) => quantile([10, 20, 30, 40], q))).toEqual([10, 17.5, 25, 37, 40])
    expect(quantile([7], 0.99)).toBe(7)
  })

  it('describe a spread, whatever the order, without being moved by one outlier', () => {
    expect(spreadOf([30, 10, 20, 1_000, 40])).toEqual({ median: 30, min: 10, max: 1_000, deviation: 10 })
  })

  it('refuse to make something of nothing', () => {
    expect(() => spreadOf([])).toThrow('nothing was measured')
  })
})
