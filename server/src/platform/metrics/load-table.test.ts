import { describe, expect, it } from 'vitest'
import { type Load, loadTable } from './load-table.ts'

const load = (more: Partial<Load> = {}): Load => ({
  ...{ requests: 1, refused: 0, ms: 2, waitedMs: 1, loopMs: 1 },
  ...more,
})

describe('who costs how much', () => {
  it('is summed by key, the greatest first, and the rest together', () => {
    const table = loadTable()
    for (let n = 0; n < 9; n += 1) table.add('flood', load())
    table.add('small', load())
    table.add('smaller', load({ loopMs: 0, waitedMs: 0 }))
    const { top, others } = table.report(1)
    expect(top).toEqual([{ key: 'flood', requests: 9, refused: 0, ms: 18, waitedMs: 9, loopMs: 9 }])
    expect(others).toEqual({ requests: 2, refused: 0, ms: 4, waitedMs: 1, loopMs: 1 })
  })

  it('names those with the greatest share of anything: of refusals too, which cost little', () => {
    const table = loadTable()
    for (let n = 0; n < 50; n += 1) table.add('busy', load())
    for (let n = 0; n < 5; n += 1) table.add('refused', load({ refused: 1, loopMs: 0, waitedMs: 0 }))
    for (let n = 0; n < 6; n += 1) table.add('usual', load())
    expect(
      table
        .report(2)
        .top.map(({ key }) => key)
        .toSorted(),
    ).toEqual(['busy', 'refused'])
  })

  it('tells a bounded number apart however many come, keeps the heavy one among them, and loses no request', () => {
    const table = loadTable({ kept: 16 })
    for (let n = 0; n < 10_000; n += 1) {
      table.add(`light ${n}`, load())
      if (n % 5 === 0) table.add('heavy', load())
    }
    const { top, others } = table.report(100)
    expect(top.length).toBeLessThanOrEqual(32)
    expect(top[0]).toMatchObject({ key: 'heavy', requests: 2_000 })
    expect(top.reduce((sum, { requests }) => sum + requests, others.requests)).toBe(12_000)
  })

  it('is of the last one to two minutes', () => {
    let now = 0
    const table = loadTable({ now: () => now })
    table.add('early', load())
    now = 61_000
    table.add('late', load())
    expect(table.report(5)).toMatchObject({ seconds: 61, top: [{ key: 'early' }, { key: 'late' }] })
    now = 122_000
    expect(table.report(5).top.map(({ key }) => key)).toEqual(['late'])
    now = 400_000
    expect(table.report(5)).toMatchObject({ top: [], others: { requests: 0 } })
  })
})
