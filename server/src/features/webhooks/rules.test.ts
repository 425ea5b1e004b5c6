import { expect, it } from 'vitest'
import { verdictOf } from './rules.ts'

it.each([
  [undefined, 'trouble'],
  [200, 'taken'],
  [204, 'taken'],
  [299, 'taken'],
  [301, 'refused'],
  [400, 'refused'],
  [404, 'refused'],
  // asked too soon or too slowly: the receiver is in trouble, nothing is wrong with the event
  [408, 'trouble'],
  [429, 'trouble'],
  [410, 'gone'],
  [500, 'trouble'],
  [503, 'trouble'],
] as const)('an answer of %s means %s', (status, verdict) => {
  expect(verdictOf(status)).toBe(verdict)
})
