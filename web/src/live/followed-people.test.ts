import { afterEach, describe, expect, it, vi } from 'vitest'
import { followedPeople, isFree } from './followed-people.ts'

afterEach(() => {
  for (const id of followedPeople.get()) followedPeople.unfollow(id)
  vi.unstubAllGlobals()
})

describe('people who are followed', () => {
  it('are those whom one has named, each once, until they are named no more', () => {
    for (const id of ['1', '2', '1']) followedPeople.follow(id)
    expect(followedPeople.get()).toEqual(['2', '1'])
    followedPeople.unfollow('2')
    expect(followedPeople.get()).toEqual(['1'])
  })

  it('are free in the office, and nowhere else', () => {
    expect(isFree({ status: 'online' })).toBe(true)
    expect(isFree({ status: 'online', activity: 'in-room' })).toBe(false)
    expect(isFree({ status: 'online', activity: 'in-meeting' })).toBe(false)
    for (const status of ['away', 'busy', 'offline', 'appear_offline'] as const)
      expect(isFree({ status })).toBe(false)
  })
})
