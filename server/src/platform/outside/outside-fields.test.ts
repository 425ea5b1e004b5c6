import { describe, expect, it } from 'vitest'
import {
  countOf,
  fieldsOf,
  identifierOf,
  itemsOf,
  textOf,
  timeOf,
  webAddressOf,
  wholeTextOf,
} from './outside-fields.ts'

const NOT_TEXT = [undefined, null, 7, true, {}, ['a']]

describe('what an outside party says, read', () => {
  it('takes a name elsewhere as it is, from one visible character to its bound', () => {
    for (const name of ['1', ' a ', 'Ädä', 'x'.repeat(255)]) expect(identifierOf(name)).toBe(name)
    expect(identifierOf('x'.repeat(1_024), 1_024)).toHaveLength(1_024)
  })

  it('takes none for a name that is empty, blank, too long, or cannot be kept', () => {
    const odd = [
      '',
      ' \t',
      '\u00a0',
      '\u200b\u2060\ufeff',
      '\u115f',
      'x'.repeat(256),
      'a\0',
      'a\nb',
      'a\ud800',
    ]
    for (const value of [...odd, ...NOT_TEXT]) expect(identifierOf(value)).toBeUndefined()
  })

  it('leaves out what would be another text when cut', () => {
    expect(wholeTextOf('a@b.example', 11)).toBe('a@b.example')
    for (const value of ['a@b.example.', 'a\0', ...NOT_TEXT]) expect(wholeTextOf(value, 11)).toBe('')
  })

  it('cuts what is for people, between characters', () => {
    expect(textOf('abcdef', 3)).toBe('abc')
    expect(textOf('ab😀', 3)).toBe('ab')
    expect(textOf('a\0b\ud800c', 9)).toBe('ab\ufffdc')
    for (const value of NOT_TEXT) expect(textOf(value, 9)).toBe('')
  })

  it('finds fields in objects and items in lists only', () => {
    expect(fieldsOf({ a: 1 })).toEqual({ a: 1 })
    for (const value of [undefined, null, 'text', 7, [1]]) expect(fieldsOf(value)).toEqual({})
    expect(itemsOf([1, null, 3], 2)).toEqual([1, null])
    for (const value of [undefined, null, 'text', { length: 3 }]) expect(itemsOf(value, 2)).toEqual([])
  })

  it('takes whole numbers within a bound', () => {
    expect([countOf(0), countOf(5, 5)]).toEqual([0, 5])
    for (const value of [-1, 6, 1.5, Number.NaN, 1e300, '5', null]) expect(countOf(value, 5)).toBeUndefined()
  })

  it('takes times of RFC 3339 that every zone can tell', () => {
    expect(timeOf('2026-03-25T10:00:00.0000000+01:00')).toEqual(new Date('2026-03-25T09:00:00Z'))
    const odd = [
      '2026-02-30T00:00:00Z',
      '9999-12-31T00:00:00Z',
      '0001-01-01T00:00:00Z',
      'Mar 25 2026',
      '2026',
    ]
    for (const value of [...odd, ...NOT_TEXT]) expect(timeOf(value)).toBeUndefined()
  })

  it('takes addresses of the web without credentials, by http only where that is allowed', () => {
    const [secure, plain] = ['https://a.example/b?c', 'http://a.example/']
    expect(webAddressOf(secure, { allowsHttp: false })).toBe(secure)
    expect([true, false].map((allowsHttp) => webAddressOf(plain, { allowsHttp }))).toEqual([plain, undefined])
    const odd = [
      'javascript:alert(1)',
      'https://u:p@a.example',
      'x',
      `https://a.example/${'x'.repeat(2_048)}`,
    ]
    for (const value of [...odd, ...NOT_TEXT])
      expect(webAddressOf(value, { allowsHttp: true })).toBeUndefined()
  })
})
