import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFromEmail, requireName } from './display-name.ts'
import { normalizeEmail } from './email-address.ts'

const LENGTHS = { min: 2, max: 10 }
const nameOf = (text: string) => requireName(text, 'displayName', LENGTHS)

describe('a name', () => {
  it.each([
    ['Ada', 'Ada'],
    ['  Ada \t', 'Ada'],
    ['Zo\u0065\u0308', 'Zoë'],
    ['李 四', '李 四'],
    ['👩‍💻👩‍💻', '👩‍💻👩‍💻'],
    ['😀'.repeat(10), '😀'.repeat(10)],
    ['مرحبا', 'مرحبا'],
    ['--', '--'],
    ['O’Neil', 'O’Neil'],
    // what joins letters and emoji stays
    ['می‌خواهم', 'می‌خواهم'],
    ['葛\u{e0100}', '葛\u{e0100}'],
    ['1️⃣ 👩🏽‍🚀', '1️⃣ 👩🏽‍🚀'],
    ['❤️ 🏴󠁧󠁢󠁷󠁬󠁳󠁿', '❤️ 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ])('%j is kept as %j', (text, name) => {
    expect(nameOf(text)).toBe(name)
  })

  it.each([
    ['', 'of 2 to 10 characters'],
    ['A', 'of 2 to 10 characters'],
    [' A ', 'of 2 to 10 characters'],
    ['😀', 'of 2 to 10 characters'],
    ['x'.repeat(11), 'of 2 to 10 characters'],
    ['😀'.repeat(11), 'of 2 to 10 characters'],
    ['Ada\nBob', 'control characters'],
    ['Ada\u0000', 'control characters'],
    ['Ada\u202eBob', 'control characters'],
    ['Ada\u2066Bob', 'control characters'],
    ['Ada\u2028Bob', 'control characters'],
    ['Ada\ud83d', 'control characters'],
    ['\u200b\u200b\u200b', 'invisible characters'],
    ['Ada\u200b', 'invisible characters'],
    ['Ad\u00ada', 'invisible characters'],
    ['A\ufeffda', 'invisible characters'],
    ...[
      '\u{e0041}',
      '\ufe0f',
      '\ufe00',
      '\u{e0100}',
      '\ufff9',
      '\ue000',
      '\ufdd0',
      '\uffff',
      '\u200d',
      '\u200c',
    ].map((invisible): [string, string] => [`Ada${invisible}B`, 'invisible characters']),
    ['Ada\u3164', 'invisible characters'],
    ['\u200d\u200d', 'invisible characters'],
  ])('%j is refused: %s', (text, says) => {
    expect(() => nameOf(text)).toThrowError(
      expect.objectContaining({
        kind: 'invalid',
        error: 'invalid-input',
        message: expect.stringContaining(says),
        details: [{ field: 'displayName', message: expect.stringContaining(says) }],
      }),
    )
  })

  it('that was kept is kept again unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        let name: string
        try {
          name = nameOf(text)
        } catch {
          return
        }
        expect(nameOf(name)).toBe(name)
      }),
    )
  })
})

describe('the first name of an account', () => {
  it('is what stands before the @, where that is enough for a name', () => {
    expect(nameFromEmail('ada.lovelace@example.com')).toBe('ada.lovelace')
    expect(nameFromEmail('a@example.com')).toBe('a@example.com')
  })

  it('is always one that the table takes', () => {
    const local = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 64 })
    fc.assert(
      fc.property(local, fc.domain(), (left, right) => {
        const email = normalizeEmail(`${left}@${right}`)
        if (email === undefined) return
        const length = [...nameFromEmail(email)].length
        expect(length).toBeGreaterThanOrEqual(2)
        expect(length).toBeLessThanOrEqual(100)
      }),
      { numRuns: 2_000 },
    )
  })

  it('counts characters as the table does, not units of memory', () => {
    expect(nameFromEmail('😀@example.com')).toBe('😀@example.com')
  })
})
