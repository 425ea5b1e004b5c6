import type { SessionState } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isMarkedSignedIn, markSignedIn } from './signed-in-mark.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const ada = { state: 'signed-in', user: { id: '1' } } as SessionState

it('is there from a sign-in to the end of the session', () => {
  const session = createStore<SessionState>({ state: 'unknown' })
  markSignedIn(session)
  expect(isMarkedSignedIn()).toBe(false)
  session.set(ada)
  expect(isMarkedSignedIn()).toBe(true)
  session.set({ state: 'signed-out' })
  expect(isMarkedSignedIn()).toBe(false)
})

it('says nothing of the person', () => {
  const session = createStore<SessionState>({ state: 'unknown' })
  markSignedIn(session)
  session.set(ada)
  expect([...kept]).toEqual([['atrium-signed-in', 'yes']])
})

it('is not there where nothing can be kept', () => {
  const refuse = () => {
    throw new Error('forbidden')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  const session = createStore<SessionState>({ state: 'unknown' })
  markSignedIn(session)
  session.set(ada)
  expect(isMarkedSignedIn()).toBe(false)
})
