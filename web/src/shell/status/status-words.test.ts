import { expect, it } from 'vitest'
import { isReachable } from './status-words.ts'

it.each([
  ['online', true],
  ['away', true],
  ['busy', false],
  ['offline', false],
] as const)('whoever is %s can be reached by a knock: %s', (status, reachable) => {
  expect(isReachable({ status })).toBe(reachable)
})
