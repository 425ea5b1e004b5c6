import { describe, expect, it } from 'vitest'
import { isRawJson, parseExactly, wantsExactness } from './exact-json.ts'

describe('numbers of JSON that is parsed exactly', () => {
  it.each(['9007199254740993', '-9007199254740993', '9223372036854775807', '1'.repeat(400)])(
    'keep their digits: %s',
    (number) => {
      const { value } = parseExactly(`{"value": ${number}}`) as { value: unknown }
      expect(isRawJson(value) && value.rawJSON).toBe(number)
      expect(JSON.stringify({ value })).toBe(`{"value":${number}}`)
    },
  )

  it.each([
    '1',
    '-0.5',
    '9007199254740991',
    '1.50',
    '0.12345678901234567',
    '1e300',
    '12345678901234567890.5',
  ])('are numbers where none is lost, or where they are no ids: %s', (number) => {
    expect(parseExactly(`[${number}]`)).toEqual([Number(number)])
  })

  it('are looked for only where there may be some', () => {
    expect(wantsExactness('{"a": 123456789012345}')).toBe(false)
    expect(wantsExactness('{"a": 9007199254740993}')).toBe(true)
  })

  it.each([
    ['more values than any input has', `[9007199254740993${',0'.repeat(20_000)}]`],
    ['more within each other', `[9007199254740993, ${'['.repeat(40)}${']'.repeat(40)}]`],
    ['no JSON', '[9007199254740993,'],
  ])('are not looked for in what is refused: %s', (_name, text) => {
    expect(wantsExactness(text)).toBe(false)
  })
})

describe('JSON that is parsed exactly', () => {
  it('has its members whatever they are called, but for one that stands for a prototype', () => {
    const text = '{"constructor":{"prototype":{"a":9007199254740993}}}'
    expect(JSON.stringify(parseExactly(text))).toBe(text)
    expect(JSON.stringify(parseExactly('{"b": [{"__proto__": 9007199254740993}]}'))).toBe('{"b":[{}]}')
  })

  it('keeps strings as they are, and is refused where it is none', () => {
    expect(parseExactly('["9007199254740993", null, true]')).toEqual(['9007199254740993', null, true])
    expect(() => parseExactly('[9007199254740993,]')).toThrow(SyntaxError)
  })
})
