import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sayingForAWhile } from './said-for-a-while.ts'

let shown = ''
beforeEach(() => {
  vi.useFakeTimers()
  shown = ''
})
afterEach(() => void vi.useRealTimers())
const saying = sayingForAWhile((sentence) => {
  shown = sentence
})

it('a sentence is said, and is gone after a while', () => {
  saying.say('Grace: weak connection')
  vi.advanceTimersByTime(9_000)
  expect(shown).toBe('Grace: weak connection')
  vi.advanceTimersByTime(2_000)
  expect(shown).toBe('')
})

it('the next one has a while of its own', () => {
  saying.say('Grace came in')
  vi.advanceTimersByTime(9_000)
  saying.say('Ada came in')
  vi.advanceTimersByTime(9_000)
  expect(shown).toBe('Ada came in')
})

it('nothing is shown after the end', () => {
  saying.say('Grace came in')
  saying.stop()
  shown = 'another page'
  vi.advanceTimersByTime(60_000)
  expect(shown).toBe('another page')
})
