import type { Role } from '@atrium/contract'
import { mayGrant } from '../../access/permissions.ts'
import { DAY_SECONDS } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusal.ts'

/** How long an invitation can be accepted. */
export const INVITATION_LIFETIME_SECONDS = 7 * DAY_SECONDS

/** Within which an address is invited so and so often. */
export const SENDING_WINDOW_SECONDS = DAY_SECONDS

export type InvitationState = 'pending' | 'accepted' | 'expired' | 'revoked'

/** Times that decide how things stand with an invitation. */
export interface InvitationTimes {
  expiresAt: Date
  acceptedAt: Date | null
  revokedAt: Date | null
}

/** Nothing turns an invitation to `expired`: it is so from the moment on that its time is over. */
export function stateOf(invitation: InvitationTimes, now: Date): InvitationState {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.revokedAt !== null) return 'revoked'
  return invitation.expiresAt <= now ? 'expired' : 'pending'
}

/** The role that an invitation shows: while it can be accepted, the one that it gives then. */
export function shownRole(invitation: InvitationTimes & { role: Role; roleGiven: Role }, now: Date): Role {
  return stateOf(invitation, now) === 'pending' ? invitation.roleGiven : invitation.role
}

/** Why a token does not lead in. */
export type InviteFault =
  | 'unknown'
  | 'accepted'
  | 'expired'
  | 'revoked'
  | 'other-address'
  | 'inactive'
  /** By others: they come back by a new invitation only. */
  | 'removed'

/** The answer to a token that does not lead in. */
export function inviteRefusal(fault: InviteFault): Refusal {
  switch (fault) {
    case 'unknown':
      return Refusal.of('invalid-invite-token')
    case 'accepted':
      return Refusal.of('invitation-accepted')
    case 'expired':
      return Refusal.of('invitation-expired')
    case 'revoked':
      return Refusal.of('invitation-revoked')
    case 'other-address':
      return Refusal.of('invitation-for-another-address')
    case 'inactive':
      return Refusal.of('membership-inactive')
    case 'removed':
      return Refusal.of('removed')
  }
}

/** The answer to a token of which it is not told whether its time is over or it was revoked. */
export function inviteOver(): Refusal {
  return Refusal.of('invitation-expired', { message: 'This invitation has expired or was revoked' })
}

/** Why an address is not invited. */
export type SendFault = 'already-member' | 'role-above-own' | 'invited-often'

/**
 * Why a member may not invite an address; undefined: they may. A new invitation supersedes the one that waits for the
 * address, which a member may not do to a role above their own. Invitations by other organizations say nothing here:
 * those of this organization are counted.
 * @param waiting role of the invitation that waits for the address
 * @param sentHere how often this organization has invited it within a day
 * @param perEmail how often it may; 0: no limit
 */
export function faultOfSending(standing: {
  actor: Role
  waiting: Role | undefined
  sentHere: number
  perEmail: number
}): SendFault | undefined {
  const { actor, waiting, sentHere, perEmail } = standing
  if (waiting && !mayGrant(actor, waiting)) return 'role-above-own'
  return perEmail > 0 && sentHere >= perEmail ? 'invited-often' : undefined
}

/** The answer where a single address is not invited. */
export function sendRefusal(fault: SendFault): Refusal {
  switch (fault) {
    case 'already-member':
      return Refusal.of('already-member')
    case 'role-above-own':
      return aboveOwn('This person is invited to a role above your own; somebody of that role can change it')
    case 'invited-often':
      return Refusal.of('invited-often', { retryAfterSeconds: SENDING_WINDOW_SECONDS })
  }
}

export function aboveOwn(message: string): Refusal {
  return Refusal.of('role-above-own', { message })
}
