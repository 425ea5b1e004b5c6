import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTyping } from './typing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function typing(send = async () => {}) {
  const sent = vi.fn(send)
  const shown: (readonly string[])[] = []
  return { ...createTyping({ send: sent, onChange: (ids) => void shown.push(ids) }), sent, shown }
}

it('is told once in a while, however many keys are pressed', () => {
  const { tell, sent } = typing()
  for (let key = 0; key < 10; key += 1) {
    tell()
    vi.advanceTimersByTime(500)
  }
  // at 0 and 2.5 s of five
  expect(sent).toHaveBeenCalledTimes(2)
})

it('that cannot be told harms nobody', async () => {
  const { tell, sent } = typing(() => Promise.reject(new Error('refused')))
  tell()
  await vi.advanceTimersByTimeAsync(3_000)
  tell()
  expect(sent).toHaveBeenCalledTimes(2)
})

it('is shown for some seconds after the last hint', () => {
  const { hear, shown } = typing()
  hear('1')
  vi.advanceTimersByTime(4_000)
  hear('1')
  hear('2')
  vi.advanceTimersByTime(4_000)
  expect(shown).toEqual([['1'], ['1', '2']])
  vi.advanceTimersByTime(2_000)
  expect(shown.at(-1)).toEqual([])
})

it('tells nothing any more when it is closed', () => {
  const { hear, close, shown } = typing()
  hear('1')
  hear('2')
  close()
  vi.advanceTimersByTime(10_000)
  expect(shown).toEqual([['1'], ['1', '2']])
})
