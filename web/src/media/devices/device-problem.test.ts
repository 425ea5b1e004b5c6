import { expect, it } from 'vitest'
import { deviceProblemOf } from './device-problem.ts'

const named = (name: string) => Object.assign(new Error('No.'), { name })

it('tells a refusal from a device that is missing or taken', () => {
  expect(deviceProblemOf(named('NotAllowedError'), true)).toBe('refused')
  expect(deviceProblemOf(named('NotFoundError'), true)).toBe('missing')
  expect(deviceProblemOf(named('NotReadableError'), true)).toBe('in-use')
  expect(deviceProblemOf(named('PublishTrackError'), true)).toBe('failed')
  expect(deviceProblemOf('no error at all', true)).toBe('failed')
})

it('blames the address where the page is not secure, whatever was thrown', () => {
  expect(deviceProblemOf(named('TypeError'), false)).toBe('insecure')
})
