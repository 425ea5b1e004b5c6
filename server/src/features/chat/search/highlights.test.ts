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
  expect(highlightsOf(content, marked)).toEqual(places.map(([from, to]) => ({ from, to })))
})
