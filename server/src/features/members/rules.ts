import type { Role } from '@atrium/contract'
import { mayActOn, mayGrant, roleHolds } from '../../access/permissions.ts'
import { Refusal } from '../../platform/refusal.ts'

export type MemberFault = 'not-allowed' | 'higher-rank' | 'above-own' | 'last-admin'

/** How things stand, read under the lock of the organization. */
export interface Standing {
  actor: Role
  target: Role
  /** How many admins there are. */
  admins: number
}

/** Why a member may not give another one another role; undefined: they may. */
export function faultOfRoleChange(standing: Standing, role: Role): MemberFault | undefined {
  const { actor, target } = standing
  if (!roleHolds(actor, 'EditUser')) return 'not-allowed'
  if (!mayActOn(actor, target)) return 'higher-rank'
  if (!mayGrant(actor, role)) return 'above-own'
  return role !== 'admin' && isLastAdmin(standing) ? 'last-admin' : undefined
}

/** Why a member may not remove another one; undefined: they may. Every role may leave. */
export function faultOfRemoval(standing: Standing, self: boolean): MemberFault | undefined {
  const { actor, target } = standing
  if (!self && !roleHolds(actor, 'BanUser')) return 'not-allowed'
  if (!self && !mayActOn(actor, target)) return 'higher-rank'
  return isLastAdmin(standing) ? 'last-admin' : undefined
}

/** An organization always has an admin, who can appoint others. */
function isLastAdmin({ target, admins }: Standing): boolean {
  return target === 'admin' && admins <= 1
}

export function memberRefusal(fault: MemberFault): Refusal {
  switch (fault) {
    case 'not-allowed':
      return Refusal.of('role-not-allowed')
    case 'higher-rank':
      return Refusal.of('rank-too-high', {
        message: 'You can act only on members whose role is below your own',
      })
    case 'above-own':
      return Refusal.of('role-above-own')
    case 'last-admin':
      return Refusal.of('last-admin')
  }
}
