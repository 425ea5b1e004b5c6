import type { Role } from '@atrium/contract'
import { emptied, newOrganization } from './organization.ts'
import type { Device, Organization, Person, Status } from './state.ts'
import type { World } from './world.ts'

/** What follows from one thing for the rest, as the rules say. */

export function startSession(world: World, device: Device, organization: Organization | undefined): void {
  const now = world.now()
  device.session = { id: undefined, organization, startedAt: now, usedAt: now }
}

/** "What ends it ends what was minted from it." (decisions, Session) */
export function endSession(world: World, person: Person, device: Device): void {
  endLine(person, device)
  device.session = undefined
  for (const organization of world.organizations) putOut(world, organization, person, device)
}

/** A connection is gone: offline by the connectivity poll, or at once. */
export function endLine(person: Person, device: Device, how: 'closed' | 'ended' = 'ended'): void {
  const { line } = device
  if (!line) return
  line.give(how === 'ended' ? 'ended' : 'closed')
  device.line = undefined
  const isConnected = person.devices.some((other) => other.line?.organization === line.organization)
  if (!isConnected) mayBe(line.organization, person, 'offline')
}

export function statusesOf({ statuses }: Organization, person: Person): Status[] {
  return statuses.get(person) ?? ['offline']
}

export function mayBe(organization: Organization, person: Person, status: Status): void {
  if (!organization.members.has(person)) return
  organization.statuses.set(person, [...new Set([...statusesOf(organization, person), status])])
}

export function found(world: World, person: Person, id: string, name: string): Organization {
  const organization = newOrganization(id, name)
  organization.members.set(person, 'admin')
  world.organizations.push(organization)
  return organization
}

/** The person is a member from now on; where no organization was active, it is. */
export function join(
  world: World,
  device: Device,
  organization: Organization,
  person: Person,
  role: Role,
): void {
  organization.members.set(person, role)
  organization.gone.delete(person)
  organization.statuses.set(person, ['offline'])
  world.tell(organization, 'member.joined', { userId: person.id, presenceUserId: person.presenceUserId })
  if (device.session && !device.session.organization) device.session.organization = organization
}

/**
 * Removing oneself is leaving. A member removed by others comes back by a new e-mailed invitation only. The links for
 * guests that they made end with the membership. (decisions, Roles; Rooms, guests)
 */
export function endMembership(
  world: World,
  organization: Organization,
  person: Person,
  how: 'left' | 'removed',
): void {
  const { id: userId, presenceUserId } = person
  const role = organization.members.get(person)
  if (!role) return
  putOut(world, organization, person)
  for (const device of person.devices) {
    if (device.session?.organization !== organization) continue
    endLine(person, device)
    device.session.organization = undefined
  }
  organization.members.delete(person)
  organization.statuses.delete(person)
  organization.gone.set(person, { how, role })
  cancelKnocks(world, organization, person)
  for (const link of organization.guestLinks) if (link.maker === person) link.isRevoked = true
  world.tell(organization, 'member.removed', { userId, presenceUserId })
  if (how === 'removed') revokeTheirs(world, organization, person)
}

/** The invitations that a removed member has sent, and those that would let them in again. */
function revokeTheirs(world: World, organization: Organization, person: Person): void {
  for (const invitation of organization.invitations) {
    const isTheirs = invitation.inviter === person || invitation.email === person.email
    if (!isTheirs || invitation.state !== 'pending') continue
    invitation.state = 'revoked'
    world.tell(organization, 'invitation.changed', { invitationId: invitation.id, state: 'revoked' })
  }
}

/** A knock ends with the membership of either side. */
function cancelKnocks(world: World, organization: Organization, person: Person): void {
  for (const knock of world.knocks) {
    const isOfThem = knock.organization === organization && (knock.from === person || knock.to === person)
    if (!isOfThem || knock.outcome !== undefined || knock.endsAt <= world.now()) continue
    knock.outcome = 'cancelled'
    const other = knock.from === person ? knock.to : knock.from
    world.tellPerson(other, organization, 'knock.ended', { knockId: knock.id, outcome: 'cancelled' })
  }
}

/** @param by only where they came in by this device; by any where not given */
export function putOut(world: World, organization: Organization, person: Person, by?: Device): void {
  for (const room of organization.rooms) {
    if (by && room.inside.get(person) !== by) continue
    if (!room.inside.delete(person)) continue
    world.tell(organization, 'room.left', { roomId: room.id, userId: person.id })
    if (room.inside.size === 0) emptied(room)
  }
}
