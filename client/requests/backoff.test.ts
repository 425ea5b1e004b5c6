import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

const least = () => 0
const most = () => 1

it('doubles up to a minute, and is spread over half of it', () => {
  expect([1, 2, 3, 7, 100].map((failures) => backoffMs(failures, 0, most))).toEqual([
    1_000, 2_000, 4_000, 60_000, 60_000,
  ])
  expect(backoffMs(3, 0, least)).toBe(2_000)
})

it('is never shorter than what the office wants, and spread after it', () => {
  expect(backoffMs(1, 30, least)).toBe(30_000)
  expect(backoffMs(1, 30, most)).toBe(37_500)
  expect(backoffMs(1, 1, most)).toBe(2_000)
  expect(backoffMs(1, 86_400 * 365, most)).toBe(2 ** 31 - 1)
})
