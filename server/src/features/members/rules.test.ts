import { type Role, roles } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { faultOfRemoval, faultOfRoleChange, type MemberFault, memberRefusal } from './rules.ts'

type Row = [actor: Role, target: Role, fault: MemberFault | undefined]

describe('removing a member', () => {
  it.each([
    ['guest', 'guest', 'not-allowed'],
    ['guest', 'admin', 'not-allowed'],
    ['member', 'guest', 'not-allowed'],
    ['member', 'member', 'not-allowed'],
    ['moderator', 'guest', undefined],
    ['moderator', 'member', undefined],
    ['moderator', 'moderator', 'higher-rank'],
    ['moderator', 'admin', 'higher-rank'],
    ['admin', 'guest', undefined],
    ['admin', 'moderator', undefined],
    ['admin', 'admin', undefined],
  ] as Row[])('%s removes %s: %s', (actor, target, fault) => {
    expect(faultOfRemoval({ actor, target, admins: 2 }, false)).toBe(fault)
  })

  it('everybody may leave, but for the last admin', () => {
    for (const role of roles) {
      expect(faultOfRemoval({ actor: role, target: role, admins: 2 }, true)).toBeUndefined()
    }
    expect(faultOfRemoval({ actor: 'admin', target: 'admin', admins: 1 }, true)).toBe('last-admin')
  })
})

describe('giving another role', () => {
  it('is for admins, whatever the member and the role', () => {
    for (const actor of roles)
      for (const target of roles)
        for (const role of roles) {
          const fault = faultOfRoleChange({ actor, target, admins: 2 }, role)
          expect(fault).toBe(actor === 'admin' ? undefined : 'not-allowed')
        }
  })

  it('never leaves an organization without an admin', () => {
    for (const role of roles) {
      const fault = faultOfRoleChange({ actor: 'admin', target: 'admin', admins: 1 }, role)
      expect(fault).toBe(role === 'admin' ? undefined : 'last-admin')
    }
  })
})

it.each([
  ['not-allowed', 'forbidden'],
  ['higher-rank', 'forbidden'],
  ['above-own', 'forbidden'],
  ['last-admin', 'conflict'],
] as [MemberFault, string][])('%s is refused as %s', (fault, kind) => {
  expect(memberRefusal(fault).kind).toBe(kind)
})
