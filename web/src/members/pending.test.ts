import { describe, expect, it } from 'vitest'
import { pendingOf, readsOn } from './pending.ts'

const page = (...states: string[]) => ({ data: states.map((state, at) => ({ id: `${state} ${at}`, state })) })

describe('invitations that wait', () => {
  it('are found behind pages of others', () => {
    const pages = [page('accepted', 'revoked'), page('expired'), page('pending', 'accepted')]
    expect(pendingOf(pages).map(({ id }) => id)).toEqual(['pending 0'])
  })
  it('are sought until as many are found as are shown', () => {
    expect(readsOn(1, 0, 20, 0)).toBe(true)
    expect(readsOn(1, 19, 20, 0)).toBe(true)
    expect(readsOn(1, 20, 20, 0)).toBe(false)
  })
  it('are sought in so many pages at once, and in as many again where more is asked for', () => {
    expect(readsOn(10, 0, 20, 0)).toBe(false)
    expect(readsOn(10, 0, 40, 1)).toBe(true)
    expect(readsOn(20, 0, 40, 1)).toBe(false)
  })
})
