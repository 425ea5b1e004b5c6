import { type Permission, permissions, type Role, roles } from '@atrium/contract'
import { Refusal } from '../platform/refusal.ts'

/** Which role holds which permission. Every question about a role is answered here. */
const holders: Record<Permission, readonly Role[]> = {
  InviteUser: ['member', 'moderator', 'admin'],
  EditUser: ['admin'],
  BanUser: ['moderator', 'admin'],
  ReadInviteLink: ['member', 'moderator', 'admin'],
  ResetInviteLink: ['moderator', 'admin'],
  EditOrganization: ['admin'],
  ReadAuditLog: ['admin'],
  EditRoom: ['moderator', 'admin'],
  // where the organization has decided nothing else: `guestAdmission`
  AdmitGuest: ['admin'],
  RecordRoom: ['member', 'moderator', 'admin'],
  DeleteAnyRecording: ['moderator', 'admin'],
  HoldRecording: ['admin'],
  ManageServiceTokens: ['admin'],
  ManageWebhooks: ['admin'],
  ExportOrganization: ['admin'],
  ManageDirectory: ['admin'],
  ManageSingleSignOn: ['admin'],
}

export function roleHolds(role: Role, permission: Permission): boolean {
  return holders[permission].includes(role)
}

/** @throws Refusal forbidden */
export function requirePermission(role: Role, permission: Permission): void {
  if (!roleHolds(role, permission)) throw Refusal.of('role-not-allowed')
}

/** Whether each organization says which roles hold it: the table has what holds until one does. */
export function isDecidedByOrganization(permission: Permission): boolean {
  return permission === 'AdmitGuest'
}

/**
 * Everything that a role may, in the order of the list.
 * @param admits whether it lets guests in: that, the organization decides
 */
export function permissionsOf(role: Role, { admits }: { admits: boolean }): Permission[] {
  return permissions.filter((permission) =>
    isDecidedByOrganization(permission) ? admits : roleHolds(role, permission),
  )
}

/** No member grants a rank above their own. */
export function mayGrant(actor: Role, granted: Role): boolean {
  return rankOf(granted) <= rankOf(actor)
}

/** No member acts on a higher rank; on their own rank only admins do. */
export function mayActOn(actor: Role, target: Role): boolean {
  return actor === 'admin' || rankOf(target) < rankOf(actor)
}

/** The lower of two roles. */
export function lowerRole(one: Role, other: Role): Role {
  return rankOf(one) <= rankOf(other) ? one : other
}

/** Position of a role from the lowest (0). */
export function rankOf(role: Role): number {
  return roles.indexOf(role)
}
