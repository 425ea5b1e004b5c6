import { describe, expect, it } from 'vitest'
import { isRemovable, isRevocable, type Role, rolesToGive, rolesToInvite, type Self } from './ranks.ts'

const self = (role: Role): Self => ({
  ...{ id: '1', role },
  mayEdit: role === 'admin',
  mayRemove: role === 'admin' || role === 'moderator',
  isLastAdmin: false,
})
const other = (role: Role) => ({ id: '2', role })

describe('what a member may do with another', () => {
  it('admins give any role, others none', () => {
    expect(rolesToGive(self('admin'), other('member'))).toEqual(['moderator', 'admin'])
    expect(rolesToGive(self('moderator'), other('member'))).toEqual([])
  })

  it('moderators remove lower ranks, admins everybody but themselves', () => {
    expect(isRemovable(self('moderator'), other('member'))).toBe(true)
    expect(isRemovable(self('moderator'), other('moderator'))).toBe(false)
    expect(isRemovable(self('admin'), other('admin'))).toBe(true)
    expect(isRemovable(self('admin'), { id: '1', role: 'admin' })).toBe(false)
    expect(isRemovable(self('member'), other('guest'))).toBe(false)
  })

  it('a bot is given no role here, nor removed', () => {
    const bot = { ...other('member'), isBot: true } as const
    expect([rolesToGive(self('admin'), bot), isRemovable(self('admin'), bot)]).toEqual([[], false])
  })

  it('takes back no invitation above what one is', () => {
    expect([isRevocable('moderator', 'moderator'), isRevocable('moderator', 'admin')]).toEqual([true, false])
  })

  it('invites at most as what one is', () => {
    expect(rolesToInvite('moderator')).toEqual(['guest', 'member', 'moderator'])
  })
})
