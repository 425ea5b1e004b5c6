import type { Role } from '@atrium/contract'
import { type Caller, type Expected, INVITERS, MODERATORS, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { join } from '../effects.ts'
import { lower, rank } from '../organization.ts'
import { picked, ROLES, type Rule, refused } from '../rule.ts'
import type { Invitation, Organization, Person } from '../state.ts'
import type { World } from '../world.ts'

const isPending = (world: World, { state, expiresAt }: Invitation) =>
  state === 'pending' && expiresAt > world.now()
const waitingFor = (world: World, { invitations }: Organization, { email }: Person) =>
  invitations.find((invitation) => invitation.email === email && isPending(world, invitation))

const toldOf = (world: World, organization: Organization, { id, state }: Invitation) =>
  world.tell(organization, 'invitation.changed', { invitationId: id, state })

/** All invitations there have been, of all organizations. */
const allOf = ({ organizations }: World) =>
  organizations.flatMap((organization) =>
    organization.invitations.map((invitation) => ({ organization, invitation })),
  )

const send: Rule = {
  name: 'somebody is invited',
  written:
    'spec, send-invitation: InviteUser; decisions, Invitations: at most one’s own role; re-inviting supersedes, not one to a role above one’s own',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    if (target.isDeleted) return undefined
    const role = picked(ROLES, drawn.one) ?? 'member'
    const { email } = target
    const expected = refusalFirst(caller, INVITERS) ?? invited(world, caller as Worker, target, role)
    return calling(world, caller, {
      id: 'sendInvitation',
      ...{ input: { email, role }, says: `invites ${target.name} as ${role}`, expected },
      after: () => keep(world, caller as Worker, target, role),
    })
  },
}

function invited(world: World, { organization, role }: Worker, target: Person, offered: Role): Expected {
  if (rank(offered) > rank(role)) return refused(403, 'role-above-own')
  if (organization.members.has(target)) return refused(409, 'already-member')
  const waiting = waitingFor(world, organization, target)
  if (waiting && rank(waiting.role) > rank(role)) return refused(403, 'role-above-own')
  return { status: 200 }
}

/** Reads what was made: the newest of that address. */
async function keep(world: World, { organization, device, person }: Worker, target: Person, role: Role) {
  const former = waitingFor(world, organization, target)
  if (former) {
    former.state = 'revoked'
    toldOf(world, organization, former)
  }
  const { email } = target
  const expected = { status: 200 }
  const list = (await world.ask(device, 'listInvitation', { email, limit: 1 }, expected)) as {
    data: { id: string; token: string; expiresAt: string }[]
  }
  const { id = '', token = '', expiresAt = '' } = list.data[0] ?? {}
  const invitation: Invitation = {
    ...{ id, token, email, role, state: 'pending', inviter: person },
    expiresAt: Date.parse(expiresAt),
  }
  organization.invitations.push(invitation)
  toldOf(world, organization, invitation)
}

const revoke: Rule = {
  name: 'an invitation is revoked',
  written:
    'spec, revoke-invitation; decisions, Invitations: from pending only (409), not one to a role above one’s own',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const found = picked(allOf(world), drawn.one)
    if (!found) return undefined
    const { organization, invitation } = found
    const expected =
      refusalFirst(caller, INVITERS) ?? revoked(world, caller as Worker, organization, invitation)
    return calling(world, caller, {
      id: 'revokeInvitation',
      input: { invitationId: invitation.id },
      says: `revokes the invitation of ${invitation.email.split('.')[0]}`,
      expected,
      after() {
        invitation.state = 'revoked'
        toldOf(world, organization, invitation)
      },
    })
  },
}

function revoked(world: World, caller: Worker, organization: Organization, invitation: Invitation): Expected {
  if (caller.organization !== organization) return refused(404, 'invitation-not-found')
  if (!isPending(world, invitation)) return refused(409, 'invitation-not-pending')
  if (rank(invitation.role) > rank(caller.role)) return refused(403, 'role-above-own')
  return { status: 200, body: { id: invitation.id, state: 'revoked' } }
}

const accept: Rule = {
  name: 'an invitation is accepted',
  written:
    'decisions, Invitations: only from pending, 410 expired or revoked; accepted by a member it raises the role where it is higher; it brings back whoever was removed',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const found = picked(allOf(world), drawn.one)
    if (!found || found.organization.isDeleted) return undefined
    const { organization, invitation } = found
    const expected = caller.session
      ? accepted(world, caller.person, organization, invitation)
      : refused(401, 'unauthenticated')
    if (!expected) return undefined
    return calling(world, caller, {
      id: 'acceptInvitation',
      input: { token: invitation.token },
      says: `accepts the invitation of ${invitation.email.split('.')[0]} to ${organization.name} as ${invitation.role}`,
      expected,
      after() {
        invitation.state = 'accepted'
        toldOf(world, organization, invitation)
        come(world, caller, organization, invitation.role)
      },
    })
  },
}

function accepted(world: World, person: Person, organization: Organization, invitation: Invitation) {
  if (invitation.email !== person.email) return { status: 403, error: 'invitation-for-another-address' }
  // once again, by its own person: settled by what became of them, which other rules look at
  if (invitation.state === 'accepted') return undefined
  if (invitation.state === 'revoked') return { status: 410, error: 'invitation-revoked' }
  if (!isPending(world, invitation)) return { status: 410, error: 'invitation-expired' }
  const now = inviterNow(organization, invitation)
  return { status: 200, body: { id: person.id, role: raised(organization, person, now) } }
}

/** An inviter gives no more than they hold now. */
const inviterNow = (organization: Organization, { role, inviter }: Invitation) =>
  lower(role, organization.members.get(inviter) ?? 'member')

function raised({ members }: Organization, person: Person, offered: Role): Role {
  const held = members.get(person)
  return held && rank(held) > rank(offered) ? held : offered
}

function come(world: World, caller: Caller, organization: Organization, offered: Role): void {
  const { person, device } = caller
  const role = raised(organization, person, offered)
  const held = organization.members.get(person)
  if (!held) {
    join(world, device, organization, person, role)
    return
  }
  organization.members.set(person, role)
  const { id: userId, presenceUserId } = person
  if (held !== role) world.tell(organization, 'member.updated', { userId, presenceUserId, role })
  if (device.session && !device.session.organization) device.session.organization = organization
}

const readLink: Rule = {
  name: 'the invite link is read, or replaced',
  written:
    'spec: read by every role except guest, replaced by moderators and admins, who make the former invalid',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const isReset = drawn.one % 3 === 0
    return calling(world, caller, {
      id: isReset ? 'resetInviteLink' : 'getInviteLink',
      says: isReset ? 'replaces the invite link' : 'reads the invite link',
      expected: refusalFirst(caller, isReset ? MODERATORS : INVITERS) ?? { status: 200 },
      after({ inviteLink }: { inviteLink: string }) {
        const { organization } = caller as Worker
        const token = new URL(inviteLink).searchParams.get('invite_token') ?? ''
        if (organization.link !== undefined && isReset) organization.formerLinks.push(organization.link)
        organization.link = token
      },
    })
  },
}

const joinByLink: Rule = {
  name: 'somebody joins by a link',
  written:
    'decisions, Sign-up and Roles: by the link of the organization as a member; whoever was removed not (403 removed), whoever left with at most the role they had; an invitation that waits counts with its role',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const links = world.organizations.flatMap((organization) =>
      [organization.link ?? [], organization.formerLinks].flat().map((token) => ({ organization, token })),
    )
    const found = picked(links, drawn.one)
    if (!found) return undefined
    const { organization, token } = found
    const expected = caller.session
      ? joined(world, caller.person, organization, token)
      : refused(401, 'unauthenticated')
    return calling(world, caller, {
      id: 'joinOrganization',
      input: { inviteToken: token },
      says: `joins ${organization.name} by ${token === organization.link ? 'its' : 'a former'} link`,
      expected,
      after: () => enter(world, caller, organization),
    })
  },
}

function enter(world: World, caller: Caller, organization: Organization): void {
  const { person, device } = caller
  if (organization.members.has(person)) {
    if (device.session && !device.session.organization) device.session.organization = organization
    return
  }
  const waiting = waitingFor(world, organization, person)
  const role = roleByLink(world, organization, person)
  if (waiting) {
    waiting.state = 'accepted'
    toldOf(world, organization, waiting)
  }
  join(world, device, organization, person, role)
}

function roleByLink(world: World, organization: Organization, person: Person): Role {
  const waiting = waitingFor(world, organization, person)
  if (waiting) return inviterNow(organization, waiting)
  const former = organization.gone.get(person)
  return former ? lower('member', former.role) : 'member'
}

function joined(world: World, person: Person, organization: Organization, token: string): Expected {
  if (organization.isDeleted || token !== organization.link) return refused(400, 'invalid-invite-token')
  const held = organization.members.get(person)
  const isKeptOut =
    organization.gone.get(person)?.how === 'removed' && !waitingFor(world, organization, person)
  if (!held && isKeptOut) return refused(403, 'removed')
  const userRole = held ?? roleByLink(world, organization, person)
  return { status: 200, body: { organizationId: organization.id, userRole } }
}

export const invitationRules: readonly Rule[] = [send, revoke, accept, readLink, joinByLink]
