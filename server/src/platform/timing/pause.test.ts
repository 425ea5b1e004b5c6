import { expect, it } from 'vitest'
import { settledWithin } from './pause.ts'

const LONG_MS = 60_000
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

it('what is waited for within a limit is answered or rejected as it is, and leaves no timer', async () => {
  const before = timers()
  expect(await settledWithin(LONG_MS, Promise.resolve('answer'))).toBe('answer')
  const failure = new Error('on purpose')
  await expect(settledWithin(LONG_MS, Promise.reject(failure))).rejects.toBe(failure)
  expect(timers()).toBeLessThanOrEqual(before)
})

it('what takes longer is not waited for, and may fail later unseen', async () => {
  const late = Promise.withResolvers<string>()
  expect(await settledWithin(1, late.promise)).toBeUndefined()
  late.reject(new Error('too late'))
  await expect(late.promise).rejects.toThrow('too late')
})
