import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Cleanup,
  cleanupsAfter,
  type FinalizingEnd,
  type FinalizingState,
  moved,
  requireOwnKey,
} from './rules.ts'

const STATES = ['claimed', 'try-spent', 'rejected', 'accepted', 'placed', 'overtaken', 'shown'] as const

describe('the states of an upload that is finalized', () => {
  it('lead to an image that is shown, in one order', () => {
    const way: FinalizingState[] = ['claimed', 'try-spent', 'accepted', 'placed', 'shown']
    expect(way.reduce(moved)).toBe('shown')
  })

  it('have three ends, which nothing leaves', () => {
    const ends = STATES.filter((from) => STATES.every((to) => !mayMove(from, to)))
    expect(ends).toEqual(['rejected', 'overtaken', 'shown'])
  })

  it('skip nothing and never go back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), fc.constantFrom(...STATES), (from, to) => {
        fc.pre(mayMove(from, to))
        expect(STATES.indexOf(to)).toBeGreaterThan(STATES.indexOf(from))
      }),
    )
    expect(() => moved('claimed', 'placed')).toThrow('an upload that is claimed cannot become placed')
  })
})

describe('what the end of finalizing leaves to do', () => {
  const cases: [FinalizingState, FinalizingEnd, Cleanup[]][] = [
    ['claimed', 'refused', ['release-claim']],
    ['claimed', 'failed', ['release-claim']],
    ['try-spent', 'refused', ['settle-budget', 'release-claim']],
    ['try-spent', 'failed', ['return-try', 'release-claim']],
    ['rejected', 'refused', ['remove-upload', 'settle-budget', 'release-claim']],
    ['accepted', 'refused', ['settle-budget', 'release-claim']],
    ['accepted', 'failed', ['return-try', 'release-claim']],
    ['placed', 'refused', ['remove-image', 'settle-budget', 'release-claim']],
    ['placed', 'failed', ['remove-image', 'return-try', 'release-claim']],
    ['overtaken', 'refused', ['settle-budget', 'release-claim']],
    ['shown', 'shown', ['remove-upload', 'settle-budget']],
  ]
  it.each(cases)('%s, %s', (state, end, cleanups) => {
    expect(cleanupsAfter(state, end)).toEqual(cleanups)
  })

  it('never takes the upload from the next call where the failure is ours', () => {
    for (const state of STATES) expect(cleanupsAfter(state, 'failed')).not.toContain('remove-upload')
  })
})

describe('the key of an upload', () => {
  it.each(['tmp/1/a.png', 'tmp/1/folder/a.png'])('%s is its owner’s', (key) => {
    expect(() => requireOwnKey(key, '1')).not.toThrow()
  })
  it.each(['tmp/2/a.png', 'tmp/1/../2/a.png', 'tmp/1/%2e%2e/a.png', 'tmp/1//a.png', 'avatars/1/a.png'])(
    '%s is refused',
    (key) => {
      expect(() => requireOwnKey(key, '1')).toThrow()
    },
  )
})

function mayMove(from: FinalizingState, to: FinalizingState): boolean {
  try {
    return moved(from, to) === to
  } catch {
    return false
  }
}
