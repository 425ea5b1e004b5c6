import { describe, expect, it } from 'vitest'
import { type InviteFault, inviteRefusal, stateOf } from './rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const [earlier, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)]

describe('the state of an invitation', () => {
  it.each([
    ['pending', { expiresAt: later, acceptedAt: null, revokedAt: null }],
    ['expired', { expiresAt: now, acceptedAt: null, revokedAt: null }],
    ['expired', { expiresAt: earlier, acceptedAt: null, revokedAt: null }],
    ['accepted', { expiresAt: earlier, acceptedAt: earlier, revokedAt: null }],
    ['revoked', { expiresAt: earlier, acceptedAt: null, revokedAt: earlier }],
  ] as const)('is %s', (state, times) => {
    expect(stateOf(times, now)).toBe(state)
  })
})

it.each([
  ['unknown', 'invalid'],
  ['accepted', 'conflict'],
  ['expired', 'gone'],
  ['revoked', 'gone'],
  ['other-address', 'forbidden'],
  ['inactive', 'forbidden'],
  ['removed', 'forbidden'],
] as [InviteFault, string][])('a token that is %s is refused as %s', (fault, kind) => {
  expect(inviteRefusal(fault).kind).toBe(kind)
})
