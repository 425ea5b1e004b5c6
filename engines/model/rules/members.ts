import type { Role } from '@atrium/contract'
import { ADMINS, type Expected, isWorker, MODERATORS, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { endMembership } from '../effects.ts'
import { actsOn, isLastAdmin } from '../organization.ts'
import { picked, type Rule, refused } from '../rule.ts'
import type { Organization, Person } from '../state.ts'
import type { World } from '../world.ts'

const GIVEN: readonly Role[] = ['member', 'moderator', 'admin']

/** A role acts on lower ranks and grants up to its own; admins act on admins. "The last admin cannot be demoted." */
function roleChange({ organization, role }: Worker, target: Person, given: Role): Expected {
  const held = organization.members.get(target)
  if (!held) return refused(404, 'member-not-found')
  if (!actsOn(role, held)) return refused(403, 'rank-too-high')
  if (given !== 'admin' && isLastAdmin(organization, target)) return refused(409, 'last-admin')
  return { status: 200, body: { id: target.id, role: given } }
}

function changeRole(world: World, organization: Organization, target: Person, given: Role): void {
  const before = organization.members.get(target)
  organization.members.set(target, given)
  if (before === given) return
  const { id: userId, presenceUserId } = target
  world.tell(organization, 'member.updated', { userId, presenceUserId, role: given })
}

const update: Rule = {
  name: 'a member gets another role',
  written: 'spec, Members: EditUser; decisions, Roles: EditUser admin only, the last admin stays',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    const role = picked(GIVEN, drawn.one) ?? 'member'
    const expected = refusalFirst(caller, ADMINS) ?? roleChange(caller as Worker, target, role)
    const isEarlier = drawn.other === 0
    return calling(world, caller, {
      id: isEarlier ? 'updateMembershipUser' : 'updateMember',
      input: isEarlier ? { userId: target.id, role } : { id: target.id, role },
      says: `makes ${target.name} ${role}`,
      expected,
      after: () => changeRole(world, (caller as Worker).organization, target, role),
    })
  },
}

function removal({ organization, role, person }: Worker, target: Person): Expected {
  if (target !== person && !MODERATORS.includes(role)) return refused(403, 'role-not-allowed')
  const held = organization.members.get(target)
  if (!held) return refused(404, 'member-not-found')
  if (target !== person && !actsOn(role, held)) return refused(403, 'rank-too-high')
  if (isLastAdmin(organization, target)) return refused(409, 'last-admin')
  return { status: 204 }
}

/** Whether a knock of theirs is cancelled or expires is decided by milliseconds. */
const isAboutToExpire = ({ knocks, now }: World, person: Person) =>
  knocks.some(
    ({ from, to, outcome, endsAt }) =>
      [from, to].includes(person) && outcome === undefined && Math.abs(endsAt - now()) < 10_000,
  )

const remove: Rule = {
  name: 'a member is removed, or leaves',
  written: 'spec, Members: BanUser; decisions, Roles: BanUser on lower ranks, removing oneself is leaving',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    const expected = refusalFirst(caller) ?? removal(caller as Worker, target)
    if (expected.status === 204 && isAboutToExpire(world, target)) return undefined
    const isEarlier = drawn.other === 0
    const how = target === caller.person ? 'left' : 'removed'
    return calling(world, caller, {
      id: isEarlier ? 'removeMembershipUser' : 'removeMember',
      input: isEarlier ? { userId: target.id } : { id: target.id },
      says: how === 'left' ? 'leaves' : `removes ${target.name}`,
      expected,
      after: () => endMembership(world, (caller as Worker).organization, target, how),
    })
  },
}

const rename: Rule = {
  name: 'somebody takes another name',
  written: 'spec, User: displayName of 2 to 100 characters; it is what colleagues see',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const displayName = picked([`${caller.person.name} Li`, 'X', 'Zoë', 'n'.repeat(101)], drawn.one) ?? ''
    const isName = displayName.length >= 2 && displayName.length <= 100
    const fits: Expected = isName ? { status: 200, body: { displayName } } : refused(400, 'invalid-input')
    return calling(world, caller, {
      id: 'updateProfile',
      input: { displayName },
      says: `takes the name ${displayName.slice(0, 12)}`,
      expected: caller.session ? fits : refused(401, 'unauthenticated'),
      after() {
        caller.person.displayName = displayName
      },
    })
  },
}

const read: Rule = {
  name: 'a member is read',
  written: 'decisions, Operations added since: members/get; another organization’s is not found',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    const role = isWorker(caller) ? caller.organization.members.get(target) : undefined
    const { id, email, displayName } = target
    const found: Expected = role
      ? { status: 200, body: { id, email, displayName, role } }
      : refused(404, 'member-not-found')
    return calling(world, caller, {
      id: 'getMember',
      input: { id },
      says: `reads ${target.name}`,
      expected: refusalFirst(caller) ?? found,
    })
  },
}

export const memberRules: readonly Rule[] = [update, remove, rename, read]
