import { networkOf } from '../../platform/http/connections/network-address.ts'
import type { Limiter, Taken } from '../../platform/limits/rate-limit.ts'
import { invalidInput, type Refusal } from '../../platform/refusal.ts'
import type { MemberCaller } from '../caller.ts'
import type { CountedLimits, Draw } from './counted-limits.ts'

/**
 * Draws invitations from the budgets of a member, of their organization and of their network: all of them, or none.
 * @throws Refusal too-many; invalid, where no time that passes would help
 */
export type DrawInvitations = (caller: MemberCaller, count: number) => Promise<void>

/**
 * @param ofNetworks an outer bound: the owner of many accounts and organizations has one network, or a few
 * @param requireLeft tells the caller what is left, and refuses where it is not enough
 */
export function invitationBudget(
  counted: CountedLimits,
  ofNetworks: Limiter,
  requireLeft: (taken: Taken, caller: MemberCaller) => void,
): DrawInvitations {
  return async (caller, count) => {
    const { user, organization } = caller
    const draws: Draw[] = [
      counted.ofPerson('invitations-per-person', user.id, organization.id),
      counted.ofOrganization('invitations', organization.id),
      { limiter: ofNetworks, key: networkOf(caller.address) },
    ]
    // looked at before it is drawn: a list that is too long for what is left takes nothing of it
    const left = await Promise.all(draws.map(({ limiter, key }) => limiter.take(key, 0)))
    const most = Math.min(...left.map(({ limit }) => limit || Infinity))
    if (count > most) throw neverSoMany(most)
    for (const one of left)
      if (one.limit > 0 && one.remaining < count) requireLeft({ ...one, allowed: false }, caller)
    const drawn: Draw[] = []
    for (const one of draws) {
      drawn.push(one)
      const taken = await one.limiter.take(one.key, count)
      // others have drawn meanwhile: what is refused is counted too
      if (!taken.allowed) await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key, count)))
      requireLeft(taken, caller)
    }
  }
}

function neverSoMany(most: number): Refusal {
  const message = `Give at most ${most} ${most === 1 ? 'address' : 'addresses'}: more can never be invited at once here`
  return invalidInput([{ field: 'emails', message }])
}
