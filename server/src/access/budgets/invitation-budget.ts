import type { Taken } from '../../platform/rate-limit.ts'
import type { MemberCaller } from '../caller.ts'
import type { CountedLimits } from './counted-limits.ts'

/** Draws invitations from the budgets of a member and of their organization: all of them, or none. */
export type DrawInvitations = (caller: MemberCaller, count: number) => Promise<void>

/** @param requireLeft tells the caller what is left, and refuses where it is not enough */
export function invitationBudget(
  counted: CountedLimits,
  requireLeft: (taken: Taken, caller: MemberCaller) => void,
): DrawInvitations {
  return async (caller, count) => {
    const { user, organization } = caller
    const draws = [
      counted.ofPerson('invitations-per-person', user.id, organization.id),
      counted.ofOrganization('invitations', organization.id),
    ]
    // looked at before it is drawn: a list that is too long for what is left takes nothing of it
    for (const { limiter, key } of draws) {
      const left = await limiter.take(key, 0)
      if (left.limit > 0 && left.remaining < count) requireLeft({ ...left, allowed: false }, caller)
    }
    for (const { limiter, key } of draws) requireLeft(await limiter.take(key, count), caller)
  }
}
