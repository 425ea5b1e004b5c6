import { describe, expect, it } from 'vitest'
import { distanceOf, isCalled, matches } from './matching.ts'

describe('searching', () => {
  it('finds names in any case', () => {
    expect(matches('Ada Lovelace', ' LOVE ')).toBe(true)
    expect(matches('Ada', 'b')).toBe(false)
    expect(matches('Ada', '')).toBe(true)
  })

  it('puts what begins so before what has it further on', () => {
    const names = ['Hedy Lamarr', 'Bjarne Madsen', 'Anna-Maria Vogt', 'Mae Jemison']
    expect(names.map((name) => distanceOf(name, ' ma'))).toEqual([2, 1, 1, 0])
    expect(distanceOf('Bjarne Madsen', 'bjarne m')).toBe(0)
    expect(distanceOf('Mae Jemison', '')).toBe(0)
  })

  it('finds people by their name and by their address', () => {
    const ada = { displayName: 'Ada Lovelace', email: 'countess@engines.example' }
    expect(isCalled(ada, 'ada')).toBe(true)
    expect(isCalled(ada, 'Countess')).toBe(true)
    expect(isCalled(ada, 'grace')).toBe(false)
  })
})
