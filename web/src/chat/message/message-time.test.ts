import { expect, it, vi } from 'vitest'
import { clockTime, minuteTime } from './message-time.ts'

const language = vi.hoisted(() => ({ locale: 'en-US' }))
vi.mock('../../words/language.ts', () => ({ localeNow: () => language.locale }))

const at = new Date(2026, 11, 1, 15, 2).toISOString()

it.each([
  ['en-US', /^3:02\sPM$/, '3:02'],
  ['en-GB', /^15:02$/, '15:02'],
  ['de-DE', /^15:02$/, '15:02'],
  // the half of the day comes first
  ['ko-KR', /^오후 3:02$/, '3:02'],
])('in %s the minute beside a message that goes on has no half of the day', (locale, full, minute) => {
  language.locale = locale
  expect(clockTime(at)).toMatch(full)
  expect(minuteTime(at)).toBe(minute)
})
