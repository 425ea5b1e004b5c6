import { describe, expect, it } from 'vitest'
import { parseMoment } from '../../../platform/moment.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { requireSpan } from './rules.ts'

describe('times of a request', () => {
  it.each([
    ['2026-03-30T09:30:00Z', '2026-03-30T09:30:00.000Z'],
    ['2026-03-30t09:30:00z', '2026-03-30T09:30:00.000Z'],
    ['2026-03-30T09:30:00.5+02:00', '2026-03-30T07:30:00.500Z'],
    ['2024-02-29T23:59:59-11:30', '2024-03-01T11:29:59.000Z'],
    ['2026-03-30T00:00:00.123456789+14:00', '2026-03-29T10:00:00.123Z'],
  ])('%s is %s', (text, utc) => {
    expect(parseMoment(text)?.toISOString()).toBe(utc)
  })

  it.each([
    '',
    '2026-03-30',
    '2026-03-30T09:30:00',
    '2026-03-30 09:30:00Z',
    '2026-03-30T09:30Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-03-30T24:00:00Z',
    '2026-03-30T09:60:00Z',
    '2026-03-30T09:30:00+24:00',
    '20260330T093000Z',
    '+002026-03-30T09:30:00Z',
    ' 2026-03-30T09:30:00Z',
    '2026-03-30T09:30:00Z\n',
  ])('%j is none', (text) => {
    expect(parseMoment(text)).toBeUndefined()
  })

  it('a span has two of them in their order, at most two years apart, and says where it has not', () => {
    const span = (timeMin: string, timeMax: string) => requireSpan({ timeMin, timeMax }, 3)
    expect(span('2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z').to.getUTCFullYear()).toBe(2026)
    // by the moments, not by their texts
    expect(() => span('2026-01-01T12:00:00+02:00', '2026-01-01T11:00:00Z')).not.toThrow()
    for (const [timeMin, timeMax] of [
      ['2026-01-01T12:00:00Z', '2026-01-01T13:00:00+02:00'],
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
      ['2024-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ] as const)
      expect(() => span(timeMin, timeMax)).toThrow(Refusal)
    expect(() => span('x', '2026-01-01T00:00:00Z')).toThrow(/^Enter a time/)
  })
})
