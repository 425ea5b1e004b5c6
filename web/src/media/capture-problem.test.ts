import { expect, it } from 'vitest'
import { captureProblemOf } from './capture-problem.ts'

const named = (name: string) => Object.assign(new Error('No.'), { name })

it('tells a refusal from a device that is missing or taken', () => {
  expect(captureProblemOf(named('NotAllowedError'), true)).toBe('refused')
  expect(captureProblemOf(named('NotFoundError'), true)).toBe('missing')
  expect(captureProblemOf(named('NotReadableError'), true)).toBe('in-use')
  expect(captureProblemOf(named('PublishTrackError'), true)).toBe('failed')
  expect(captureProblemOf('no error at all', true)).toBe('failed')
})

it('blames the address where the page is not secure, whatever was thrown', () => {
  expect(captureProblemOf(named('TypeError'), false)).toBe('insecure')
})
