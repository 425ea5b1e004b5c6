import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NODE_BOUNDS, WORDS } from './node-bounds.ts'

/** The functions that make a budget, a pace or a door. */
const MAKES = /(?<!function )\b(fairShares|steadyRates?|sharedLimiter|requestsUnderWay)\(/

describe('the page of limits', () => {
  it('names files that are there, and words that it explains', () => {
    const files = [...WORDS, ...NODE_BOUNDS].map(({ file }) => file)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    const words = WORDS.map(({ word }) => word)
    expect(NODE_BOUNDS.map(({ word }) => word).filter((word) => !words.includes(word))).toEqual([])
  })

  it('has a row for every place of the product that makes a budget, a pace or a door', () => {
    const named = new Set([...WORDS, ...NODE_BOUNDS].map(({ file }) => file))
    const makers = globSync('server/src/**/*.ts').filter(
      (path) => !path.endsWith('.test.ts') && MAKES.test(readFileSync(path, 'utf8')),
    )
    expect(makers.length).toBeGreaterThan(4)
    expect(makers.filter((path) => !named.has(path))).toEqual([])
  })
})
