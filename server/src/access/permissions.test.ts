import { type Permission, permissions, type Role, roles } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { lowerRole, mayActOn, mayGrant, roleHolds } from './permissions.ts'

/** Read as: guest, member, moderator, admin. */
const expected: Record<Permission, [boolean, boolean, boolean, boolean]> = {
  InviteUser: [false, true, true, true],
  EditUser: [false, false, false, true],
  BanUser: [false, false, true, true],
  ReadInviteLink: [false, true, true, true],
  ResetInviteLink: [false, false, true, true],
  EditOrganization: [false, false, false, true],
  EditRoom: [false, false, true, true],
  AdmitGuest: [false, false, false, true],
  RecordRoom: [false, true, true, true],
  DeleteAnyRecording: [false, false, true, true],
  HoldRecording: [false, false, false, true],
  ManageServiceTokens: [false, false, false, true],
  ManageWebhooks: [false, false, false, true],
  ExportOrganization: [false, false, false, true],
  ManageDirectory: [false, false, false, true],
  ManageSingleSignOn: [false, false, false, true],
  ReadAuditLog: [false, false, false, true],
}

describe('permissions', () => {
  it.each(permissions)('%s is held by the roles that were decided', (permission) => {
    expect(roles.map((role) => roleHolds(role, permission))).toEqual(expected[permission])
  })

  it.each([
    ['guest', ['guest']],
    ['member', ['guest', 'member']],
    ['moderator', ['guest', 'member', 'moderator']],
    ['admin', ['guest', 'member', 'moderator', 'admin']],
  ] as [Role, Role[]][])('%s grants at most their own rank', (actor, granted) => {
    expect(roles.filter((role) => mayGrant(actor, role))).toEqual(granted)
  })

  it.each([
    ['guest', []],
    ['member', ['guest']],
    ['moderator', ['guest', 'member']],
    ['admin', ['guest', 'member', 'moderator', 'admin']],
  ] as [Role, Role[]][])('%s acts on lower ranks, admins on each other', (actor, targets) => {
    expect(roles.filter((role) => mayActOn(actor, role))).toEqual(targets)
  })

  it('the lower of two roles is the same from both sides', () => {
    for (const one of roles)
      for (const other of roles) {
        expect(lowerRole(one, other)).toBe(lowerRole(other, one))
        expect(mayGrant(one, lowerRole(one, other))).toBe(true)
      }
  })
})
