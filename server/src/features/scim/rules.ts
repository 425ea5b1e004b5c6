import type { Role } from '@atrium/contract'
import { rankOf } from '../../access/permissions.ts'

/** How an account stands to the organization of the directory. */
export interface AccountStanding {
  /** Whether the organization has proven the domain of the account's address, as an operator or the DNS says. */
  domain: 'own' | 'own-by-dns' | 'foreign'
  /** Whether the person is in another organization too. */
  elsewhere: boolean
  /** Whether they are a member of this one. */
  member: boolean
}

/** A name belongs to the person, and to every organization that they are in: of members of this one alone. */
export function mayChangeNames({ domain, elsewhere, member }: AccountStanding): boolean {
  return member && domain !== 'foreign' && !elsewhere
}

/**
 * An address opens the account: only who has proven both domains by DNS has both mailboxes anyway.
 * @param next the domain of the new address
 */
export function mayChangeEmail(
  { domain, elsewhere, member }: AccountStanding,
  next: AccountStanding['domain'],
): boolean {
  return member && domain === 'own-by-dns' && next === 'own-by-dns' && !elsewhere
}

/** The role of a user: the highest of what they have without groups and of what their groups give. */
export function roleByGroups(byHand: Role, groupRoles: readonly Role[]): Role {
  return groupRoles.reduce((highest, role) => (rankOf(role) > rankOf(highest) ? role : highest), byHand)
}
