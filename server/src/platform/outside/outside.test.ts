import { expect, it } from 'vitest'
import type { Db } from '../database/database.ts'
import { transaction } from '../database/transaction.ts'
import { ProviderFailure, Refusal } from '../refusal.ts'
import { type OutsideCall, outside, timeOutsideCalls } from './outside.ts'

const call: OutsideCall = { provider: 'a test', action: 'ask' }
/** What `transaction` needs of a database. */
const db = {
  transaction: () => ({ execute: (work: (tx: unknown) => unknown) => work(undefined) }),
} as unknown as Db

it('answers what the work answers', async () => {
  expect(await outside(call, async () => 7)).toBe(7)
})

it('refuses to begin inside a transaction', async () => {
  let begun = false
  const inside = transaction(db, () =>
    outside(call, async () => {
      begun = true
    }),
  )
  await expect(inside).rejects.toThrow('a test: ask was called inside a database transaction')
  expect(begun).toBe(false)
})

it('names a failure, and lets through what has a name', async () => {
  const failing = (error: unknown, ...rest: [((error: unknown) => unknown)?]) =>
    outside(call, () => Promise.reject(error), ...rest).catch((thrown: unknown) => thrown)
  const cause = new Error('cut off')
  expect(await failing(cause)).toMatchObject({ provider: 'a test', action: 'ask', retryable: true, cause })
  const own = new ProviderFailure('another', 'do', { retryable: false })
  const refusal = new Refusal('gone', 'Over')
  expect([await failing(own), await failing(refusal)]).toEqual([own, refusal])
  expect(await failing(cause, () => refusal)).toBe(refusal)
})

it('is timed, by what was called and how it ended, until the last listener leaves', async () => {
  const seen: unknown[] = []
  const timing = timeOutsideCalls(({ provider, action }, seconds, succeeded) => {
    if (provider === call.provider) seen.push([action, seconds >= 0, succeeded])
  })
  await outside(call, async () => {})
  await outside(call, () => Promise.reject(new Error('no'))).catch(() => {})
  timing.close()
  await outside(call, async () => {})
  expect(seen).toEqual([
    ['ask', true, true],
    ['ask', true, false],
  ])
})
