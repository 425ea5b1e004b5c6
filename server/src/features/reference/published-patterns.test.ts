import { operationEntries } from '@atrium/contract'
import { openApiDocument } from '@atrium/contract/openapi'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../tests/run/timed.ts'

function patternsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    // no pattern means every name: the line break that `.` leaves out would take fields from replies
    expect(key).not.toBe('patternProperties')
    return key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value)
  })
}

const published = [...patternsIn(openApiDocument({ version: '1' })), ...patternsIn(operationEntries)]
const patterns = [...new Set(published)]

/** Characters of every class that a pattern tells apart: seen, unseen, spaces of two kinds, and none that is allowed. */
const PIECES = ['a', '1', '.', '\u0301', ' ', '\t', '\u00a0', '\ue000', '\u{1f98a}']
const ENDINGS = ['', '\u200b', ' ', '\u0301', '!']

const texts = (units: number) =>
  PIECES.flatMap((one) =>
    PIECES.flatMap((other) =>
      ENDINGS.map((ending) => (one + other).repeat(units / (one + other).length) + ending),
    ),
  )

describe('patterns that are published', () => {
  it('are there', () => {
    expect(patterns.length).toBeGreaterThan(3)
  })

  it.each(patterns)('%s takes time in proportion to the text, whatever stands in it', (pattern) => {
    const expression = new RegExp(pattern, 'u')
    for (const text of texts(4_000)) {
      // what is right takes a twentieth of a millisecond; with the square of it, tens, and with the cube, minutes
      expect(processorTime(() => expression.test(text))).toBeLessThan(20)
    }
  })

  it.each(patterns)('%s is in the subset that every language reads alike', (pattern) => {
    // JSON Schema, "Regular expressions": no classes of Unicode, nothing that looks around or back
    expect(pattern).toMatch(/^[ -~]+$/)
    expect(pattern).not.toMatch(/\\[pPuxkbB1-9]|\(\?[^:]/)
  })
})
