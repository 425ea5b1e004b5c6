import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../tests/run/timed.ts'
import { asciiHost, composed, composedLength, hasTooManyMarks, webAddress } from './unicode.ts'

const ACUTE = '\u0301'
const CEDILLA = '\u0327'
const ASTRAL_MARK = '\u{1e000}'

describe('marks in a row', () => {
  it.each([
    ['thirty', `a${ACUTE.repeat(30)}`, false],
    ['thirty-one', `a${ACUTE.repeat(31)}`, true],
    ['thirty-one of several kinds', `a${ACUTE.repeat(15)}${CEDILLA.repeat(16)}`, true],
    ['thirty-one without a letter', ACUTE.repeat(31), true],
    ['thirty-one at the end', `${'x'.repeat(1_000)}${ACUTE.repeat(31)}`, true],
    ['thirty, again and again', `a${ACUTE.repeat(30)}`.repeat(100), false],
    ['thirty of two units each', ASTRAL_MARK.repeat(30), false],
    ['thirty-one of two units each', ASTRAL_MARK.repeat(31), true],
    ['variation selectors that take no room', '\ufe0f'.repeat(31), true],
    ['a family of emoji', '👩‍👩‍👧‍👦'.repeat(50), false],
    ['Zalgo as people write it', 'Z̴̡̛̲͚͍̣̞̱̺̤͋̾̈́̊͌̀̚a̵̟̾l̶̳̈g̸̱͋o̷̢͐', false],
    ['half characters', '\ud800'.repeat(100), false],
    ['none', '', false],
  ])('%s: %#', (_case, text, expected) => {
    expect(hasTooManyMarks(text)).toBe(expected)
  })
})

describe('NFC', () => {
  it('is what it is elsewhere, and nothing where marks have no end', () => {
    for (const text of ['', 'Ada', 'é', `e${ACUTE}`, '각', '\u1100\u1161\u11a8', 'ﬁ', '\u0344', '🦊'])
      expect(composed(text)).toBe(text.normalize('NFC'))
    expect(composed(`e${ACUTE.repeat(31)}`)).toBeUndefined()
    expect(composedLength(`e${ACUTE}🦊`)).toBe(2)
    expect(composedLength(ACUTE.repeat(31))).toBeUndefined()
  })

  it('changes no text below the first mark', () => {
    const text = Array.from({ length: 0x300 }, (_, unit) => String.fromCharCode(unit)).join('')
    expect(text.normalize('NFC')).toBe(text)
  })
})

describe('hosts', () => {
  it.each([
    ['Bücher.example', 'xn--bcher-kva.example'],
    [`Bu\u0308cher.example`, 'xn--bcher-kva.example'],
    ['EXAMPLE.com', 'example.com'],
    ['ü'.repeat(254), undefined],
    [`a${ACUTE.repeat(31)}.de`, undefined],
  ])('%s', (text, expected) => {
    expect(asciiHost(text)).toBe(expected)
  })

  it.each([
    ['https://hooks.example/a', 'https://hooks.example/a'],
    [' https://Bücher.example?x ', 'https://xn--bcher-kva.example/?x'],
    [`https://hooks.example/${'x'.repeat(5_000)}`, `https://hooks.example/${'x'.repeat(5_000)}`],
    [`https://${'漢'.repeat(600)}.example`, undefined],
    [`https:\\\\${'漢'.repeat(600)}.example`, undefined],
    [`https:${'漢'.repeat(600)}.example`, undefined],
    [`ht\ntps://\t${'漢'.repeat(600)}.example`, undefined],
    [`https://a${ACUTE.repeat(31)}.de`, undefined],
    ['nothing', undefined],
    ['', undefined],
  ])('in addresses: %s', (text, expected) => {
    expect(webAddress(text)?.href).toBe(expected)
  })
})

/** Ideographs, each another one: IDNA sorts them. */
const ideographs = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')

it.each([
  ['marks', `a${ACUTE.repeat(60_000)}${CEDILLA.repeat(60_000)}`],
  ['marks with a letter between', `a${ACUTE.repeat(15)}${CEDILLA.repeat(15)}`.repeat(4_000)],
  ['five marks, again and again', `a${ACUTE.repeat(5)}`.repeat(20_000)],
  ['marks of two units', ASTRAL_MARK.repeat(60_000)],
  ['ideographs', ideographs.repeat(6)],
  ['labels', 'ü.'.repeat(60_000)],
  ['joined emoji', '👩‍'.repeat(30_000)],
])('%s take time in proportion to their number', (_case, text) => {
  const all = () => [composed(text), composedLength(text), asciiHost(text), webAddress(`https://${text}`)]
  expect(processorTime(all)).toBeLessThan(100)
})
