import { expect, it } from 'vitest'
import { waitInWords } from './wait-sentence.ts'

it.each([
  [0, '1 second'],
  [1, '1 second'],
  [59.2, '60 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('%d s is %s', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
