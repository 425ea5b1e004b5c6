import { describe, expect, it } from 'vitest'
import { isCalled, matches } from './matching.ts'

describe('searching', () => {
  it('finds names in any case', () => {
    expect(matches('Ada Lovelace', ' LOVE ')).toBe(true)
    expect(matches('Ada', 'b')).toBe(false)
    expect(matches('Ada', '')).toBe(true)
  })

  it('finds people by their name and by their address', () => {
    const ada = { displayName: 'Ada Lovelace', email: 'countess@engines.example' }
    expect(isCalled(ada, 'ada')).toBe(true)
    expect(isCalled(ada, 'Countess')).toBe(true)
    expect(isCalled(ada, 'grace')).toBe(false)
  })
})
