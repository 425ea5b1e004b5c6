import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NODE_BOUNDS, WORDS } from '../../../scripts/generators/node-bounds.ts'
import { isTest, sourceFiles } from './source-files.ts'

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
    const makers = sourceFiles()
      .filter(({ path, text }) => path.startsWith('server/src/') && !isTest(path) && MAKES.test(text))
      .map(({ path }) => path)
    expect(makers.length).toBeGreaterThan(4)
    expect(makers.filter((path) => !named.has(path))).toEqual([])
  })
})
