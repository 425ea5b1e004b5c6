import {
  type Limiter,
  type SharedLimiterOptions,
  sharedLimiter,
  type Taken,
} from '../../platform/rate-limit.ts'
import type { MemberCaller } from '../caller.ts'

/** How many invitations may be sent; 0: no limit. */
export interface InvitationBudgetSizes {
  /** By one person in an hour. */
  invitationsPerUser: number
  /** By all of an organization in a day. */
  invitationsPerOrganization: number
}

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Draws invitations from the budgets of a member and of their organization: all of them, or none. */
export type DrawInvitations = (caller: MemberCaller, count: number) => Promise<void>

/** @param requireLeft tells the caller what is left, and refuses where it is not enough */
export function invitationBudget(
  { pool, onStoreError }: Pick<SharedLimiterOptions, 'pool' | 'onStoreError'>,
  sizes: InvitationBudgetSizes,
  requireLeft: (taken: Taken, caller: MemberCaller) => void,
): DrawInvitations {
  const shared = (name: string, points: number, seconds: number): Limiter =>
    sharedLimiter({ pool, name, points, seconds, ...(onStoreError ? { onStoreError } : {}) })
  const ofUser = shared('invitations-per-user', sizes.invitationsPerUser, HOUR_SECONDS)
  const ofOrganization = shared('invitations-per-organization', sizes.invitationsPerOrganization, DAY_SECONDS)
  return async (caller, count) => {
    const draws = [
      { limiter: ofUser, key: caller.user.id },
      { limiter: ofOrganization, key: caller.organization.id },
    ]
    // looked at before it is drawn: a list that is too long for what is left takes nothing of it
    for (const { limiter, key } of draws) {
      const left = await limiter.take(key, 0)
      if (left.limit > 0 && left.remaining < count) requireLeft({ ...left, allowed: false }, caller)
    }
    for (const { limiter, key } of draws) requireLeft(await limiter.take(key, count), caller)
  }
}
