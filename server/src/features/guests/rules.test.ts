import { describe, expect, it } from 'vitest'
import type { UserId } from '../../platform/ids.ts'
import { decidersAmong, tokenSeconds } from './rules.ts'

const admins = ['1', '2', '3'].map((id) => ({ id: id as UserId }))
const id = (text: string) => text as UserId

describe('who decides', () => {
  it.each([
    ['all, where all may', { allowAll: true, allowedAdmins: [id('2')], invitedBy: id('1') }, '123'],
    ['the named ones', { allowAll: false, allowedAdmins: [id('2'), id('3')], invitedBy: id('1') }, '23'],
    [
      'all, where those named are admins no more',
      { allowAll: false, allowedAdmins: [id('8'), id('9')], invitedBy: id('1') },
      '123',
    ],
    [
      'those named who are left',
      { allowAll: false, allowedAdmins: [id('9'), id('3')], invitedBy: id('1') },
      '3',
    ],
    ['the inviter', { allowAll: false, allowedAdmins: [], invitedBy: id('2') }, '2'],
    ['all, where the inviter is none', { allowAll: false, allowedAdmins: [], invitedBy: id('9') }, '123'],
  ])('%s', (_what, policy, expected) => {
    expect(
      decidersAmong(admins, policy)
        .map((admin) => admin.id)
        .join(''),
    ).toBe(expected)
  })
})

describe('the life of a token', () => {
  it.each([
    [3_600_000, 600],
    [600_000, 600],
    [90_400, 90],
    [300, 1],
    [-5_000, 1],
  ])('of a link that is good for %i ms more is %i s', (milliseconds, seconds) => {
    const now = new Date('2026-01-01T00:00:00Z')
    expect(tokenSeconds(now, new Date(now.getTime() + milliseconds))).toBe(seconds)
  })
})
