import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../tests/run/timed.ts'
import { Refusal } from '../platform/refusal.ts'
import { normalizeEmail, requireEmail } from './email-address.ts'

describe('an e-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@Example.COM \n', 'ada@example.com'],
    ['ada.lovelace+office@example.com', 'ada.lovelace+office@example.com'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['{a|b}~!#$%&*/=?^_`@example.com', '{a|b}~!#$%&*/=?^_`@example.com'],
    ['jürgen@bücher.example', 'jürgen@xn--bcher-kva.example'],
    ['Jürgen@example.com', 'jürgen@example.com'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@sub.sub.example.co', 'ada@sub.sub.example.co'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is kept as %j', (text, email) => {
    expect(normalizeEmail(text)).toBe(email)
    expect(requireEmail(text)).toBe(email)
  })

  it.each([
    '',
    ' ',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example',
    'ada@example.c',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@exa mple.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1:25.com',
    'a@b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada lovelace@example.com',
    '"ada"@example.com',
    'ada,bob@example.com',
    'ada;bob@example.com',
    'ada<bob@example.com',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\nx',
    'ada@exa\tmple.com',
    'ada@example%2ecom',
    'ada@example.com/x',
    'ada@example.com?x',
    'ada@example.com#x',
    'ada@1.22',
    'ada@16909119',
    'ada\u0000@example.com',
    'ada\u200b@example.com',
    'ada\u202e@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('%j is none', (text) => {
    expect(normalizeEmail(text)).toBeUndefined()
    expect(() => requireEmail(text)).toThrow(Refusal)
  })

  it('is refused by the name of its field', () => {
    expect(() => requireEmail('nobody', 'to')).toThrowError(
      expect.objectContaining({
        kind: 'invalid',
        error: 'invalid-input',
        details: [{ field: 'to', message: 'Enter an e-mail address, such as ada@example.com' }],
      }),
    )
  })

  it('in its one form is that form, and safe in the header of a mail', () => {
    const local = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 })
    const domain = fc.oneof(fc.domain(), fc.string({ unit: 'grapheme', maxLength: 40 }))
    fc.assert(
      fc.property(local, domain, (left, right) => {
        const email = normalizeEmail(`${left}@${right}`)
        if (email === undefined) return
        expect(normalizeEmail(email)).toBe(email)
        expect(email.length).toBeLessThanOrEqual(254)
        expect(email).not.toMatch(/[\s\p{Cc}"(),:;<>[\\\]]/u)
        expect(email.split('@')).toHaveLength(2)
      }),
      { numRuns: 2_000 },
    )
  })

  it('that is very long is judged at once', () => {
    const texts = ['a'.repeat(200_000), `${'a.'.repeat(100_000)}@x.com`, `a@${'a-'.repeat(100_000)}.com`]
    const took = processorTime(() => {
      for (const text of texts) expect(normalizeEmail(text)).toBeUndefined()
    })
    expect(took).toBeLessThan(2_000)
  })
})
