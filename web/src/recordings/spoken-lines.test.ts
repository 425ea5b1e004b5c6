import { describe, expect, it } from 'vitest'
import { linesOf, linesWith, type Word } from './spoken-lines.ts'

/** Words of a tenth of a second each, from a moment on. */
const said = (text: string, from = 0, who: Pick<Word, 'userId' | 'guest'> = { userId: '7' }): Word[] =>
  text.split(' ').map((word, at) => ({ from: from + at / 10, to: from + (at + 1) / 10, text: word, ...who }))

const texts = (lines: ReturnType<typeof linesOf>) =>
  lines.map(({ words, isTurn }) => [words.map(({ text }) => text).join(' '), isTurn])

describe('linesOf', () => {
  it('makes a line of each sentence, turn and pause', () => {
    const guest = { guest: { identity: 'guest:1', name: 'Grete' } }
    const words = [
      ...said('Good morning. Shall we begin'),
      ...said('with the budget?', 5),
      ...said('Yes', 6, guest),
      ...said('please', 6.2, {}),
    ]
    expect(texts(linesOf(words))).toEqual([
      ['Good morning.', true],
      ['Shall we begin', false],
      ['with the budget?', false],
      ['Yes', true],
      ['please', true],
    ])
    expect(linesOf(words).map(({ from }) => from)).toEqual([0, 0.2, 5, 6, 6.2])
  })

  it('ends a line where no sentence does, and loses no word', () => {
    const words = said('on and '.repeat(50).trim())
    const lines = linesOf(words)
    expect(lines.every((line) => line.words.length <= 30)).toBe(true)
    expect(lines.flatMap((line) => line.words)).toEqual(words)
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
    expect(linesOf([])).toEqual([])
  })
})

describe('linesWith', () => {
  const lines = linesOf([...said('The Budget of May.'), ...said('It costs 3.50 (about) in all.', 10)])
  const found = (wanted: string) =>
    linesWith(lines, wanted).map(({ from, pieces }) => [
      Math.round(from * 10) / 10,
      pieces.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join(''),
    ])

  it.each<[string, [number, string][]]>([
    ['budget  OF', [[0.1, 'The [Budget of] May.']]],
    [
      't',
      [
        [0, '[T]he Budge[t] of May.'],
        [10, 'I[t] cos[t]s 3.50 (abou[t]) in all.'],
      ],
    ],
    ['3.50 (', [[10.2, 'It costs [3.50 (]about) in all.']]],
    ['oul', []],
    ['-', []],
    ['ay', [[0.3, 'The Budget of M[ay].']]],
  ])('finds %s where it is said', (wanted, expected) => {
    expect(found(wanted)).toEqual(expected)
  })

  it('has every line where nothing is wanted', () => {
    expect(found(' ')).toEqual([
      [0, 'The Budget of May.'],
      [10, 'It costs 3.50 (about) in all.'],
    ])
  })
})
