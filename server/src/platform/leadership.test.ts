import { describe, expect, it } from 'vitest'
import { LeadershipLost, requireLeadership, withinLeadership } from './leadership.ts'

describe('the work of a leader', () => {
  it('goes on while the leadership is sure, and no longer', async () => {
    let sure = true
    await withinLeadership({ isSure: () => sure }, async () => {
      requireLeadership()
      await Promise.resolve()
      sure = false
      expect(requireLeadership).toThrow(LeadershipLost)
    })
    // work of the leader only
    expect(requireLeadership()).toBeUndefined()
  })

  it('leaves behind what is no work of the leader any more', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let left: Promise<unknown> | undefined
    await withinLeadership({ isSure: () => false }, async () => {
      left = promise.then(requireLeadership)
    })
    resolve()
    await expect(left).resolves.toBeUndefined()
  })
})
