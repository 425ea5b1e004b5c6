import { describe, expect, it } from 'vitest'
import { until } from '../../../tests/until.ts'
import { after, every, guarded } from './timer.ts'

describe('work that may fail', () => {
  it('tells what it throws and what it rejects with, and ends nothing', async () => {
    const errors: unknown[] = []
    guarded(
      () => {
        throw new Error('thrown')
      },
      (error) => errors.push((error as Error).message),
    )
    guarded(
      () => Promise.reject(new Error('rejected')),
      (error) => errors.push((error as Error).message),
    )
    await until(() => errors.length === 2)
    expect(errors).toEqual(['thrown', 'rejected'])
  })

  it('of a timer has its next turn all the same', async () => {
    const errors: unknown[] = []
    const failing = () => {
      throw new Error('again')
    }
    const timer = every(1, failing, (error) => errors.push(error))
    await until(() => errors.length >= 3)
    timer.stop()
    const once: unknown[] = []
    after(1, failing, (error) => once.push(error))
    await until(() => once.length === 1)
  })
})
