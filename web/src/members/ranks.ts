import type { Person } from '@atrium/client/people'

export type Role = Person['role']

/** Lowest first, as the office ranks them. */
export const ROLES: readonly Role[] = ['guest', 'member', 'moderator', 'admin']

const NEW_ROLES = ['member', 'moderator', 'admin'] as const

export interface Self {
  id: string
  role: Role
  mayEdit: boolean
  mayRemove: boolean
  /** The only administrator: an office keeps one. */
  isLastAdmin: boolean
}

/** Roles that a member may be given: guests are invited as such. */
export type NewRole = Exclude<Role, 'guest'>

/** The other member: a bot keeps its role, and is deleted as one. */
interface Other {
  id: string
  role: Role
  isBot?: true
}

/** Roles that one may give a member: none above one's own, and none to a member of a higher rank. */
export function rolesToGive(self: Self, person: Other): readonly NewRole[] {
  if (person.isBot) return []
  if (self.isLastAdmin && person.id === self.id) return []
  if (!self.mayEdit || rankOf(person.role) > rankOf(self.role)) return []
  return NEW_ROLES.filter((role) => role !== person.role && rankOf(role) <= rankOf(self.role))
}

/** Whether one may remove them: of a lower rank, and admins act on admins. Oneself one leaves as. */
export function isRemovable(self: Self, person: Other): boolean {
  if (person.isBot || !self.mayRemove || person.id === self.id) return false
  return rankOf(person.role) < rankOf(self.role) || self.role === 'admin'
}

/** Roles that one may invite a person as. */
export function rolesToInvite(own: Role): readonly Role[] {
  return ROLES.filter((role) => rankOf(role) <= rankOf(own))
}

/** Whether one may take back an invitation: of no higher rank. */
export function isRevocable(own: Role, invited: Role): boolean {
  return rolesToInvite(own).includes(invited)
}

function rankOf(role: Role): number {
  return ROLES.indexOf(role)
}
