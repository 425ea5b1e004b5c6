import { expect, it } from 'vitest'
import { highlightsOf } from './highlights.ts'

it.each([
  ['Lunch at one', ['\u0001Lunch\u0002 at one', 'Lunch at one'], [[0, 5]]],
  [
    'one, one',
    ['\u0001one\u0002, one', 'one, \u0001one\u0002'],
    [
      [0, 3],
      [5, 8],
    ],
  ],
  ['🦊 fox', ['🦊 \u0001fox\u0002', '🦊 \u0001fox\u0002'], [[3, 6]]],
  ['lunches', ['\u0001lunches\u0002', '\u0001lunch\u0002es'], [[0, 7]]],
  ['a\u0001b', ['a\u0001\u0001b\u0002'], []],
  ['nothing', ['nothing'], []],
])('%s', (content, marked, places) => {
  expect(highlightsOf(content, marked, '')).toEqual(places.map(([from, to]) => ({ from, to })))
})

it('stand where the words are, also behind a word so long that the copy leaves it out', () => {
  const long = 'x'.repeat(3_000)
  const content = `${long} outfox 🦊fox and foxes`
  const copy = ' outfox 🦊\u0001fox\u0002 and \u0001foxes\u0002'
  const places = highlightsOf(content, [copy, copy], '')
  expect(places.map(({ from, to }) => content.slice(from, to))).toEqual(['fox', 'foxes'])
  expect(places[0]?.from).toBe(content.indexOf('🦊') + 2)
})

it.each([
  ['raum PLAN', 'Die Besprechungsraumplanung', ['raum', 'plan']],
  ['議 十時 a', '明日の会議は十時です, a', ['議', '十時']],
  ['İst', 'İstanbul ist', []],
])('%s within words', (query, content, found) => {
  const places = highlightsOf(content, [content], query)
  expect(places.map(({ from, to }) => content.slice(from, to))).toEqual(found)
})
