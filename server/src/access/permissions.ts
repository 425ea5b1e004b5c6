import { type Permission, type Role, roles } from '@atrium/contract'

/** Which role holds which permission. Whoever asks what a role may do, asks here. */
const holders: Record<Permission, readonly Role[]> = {
  InviteUser: ['member', 'moderator', 'admin'],
  EditUser: ['admin'],
  BanUser: ['moderator', 'admin'],
  EditOrganization: ['admin'],
}

export function roleHolds(role: Role, permission: Permission): boolean {
  return holders[permission].includes(role)
}

/** Position of a role from the lowest (0). */
export function rankOf(role: Role): number {
  return roles.indexOf(role)
}
