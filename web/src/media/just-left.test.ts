import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { justLeft } from './just-left.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('knows the room that was left a moment ago, and no other', () => {
  expect(justLeft.was('kitchen')).toBe(false)
  justLeft.note('kitchen')
  expect([justLeft.was('kitchen'), justLeft.was('lounge')]).toEqual([true, false])
})

it('knows the connection that a page comes back in place of, until another one is taken over', () => {
  justLeft.note('kitchen')
  expect([justLeft.was('kitchen'), justLeft.connection('kitchen')]).toEqual([true, undefined])
  justLeft.note('kitchen', 'PA_1')
  expect([justLeft.connection('kitchen'), justLeft.connection('lounge')]).toEqual(['PA_1', undefined])
  justLeft.forget()
  expect([justLeft.was('kitchen'), justLeft.connection('kitchen')]).toEqual([false, undefined])
})

it('forgets it once the office has heard of it', () => {
  justLeft.note('kitchen')
  vi.advanceTimersByTime(10_000)
  expect(justLeft.was('kitchen')).toBe(false)
})
