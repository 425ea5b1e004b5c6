import { isDeepStrictEqual } from 'node:util'
import type { Role } from '@atrium/contract'
import { eventually } from '../waiting.ts'
import { type Caller, callerOf, INVITERS, isWorker, type Worker } from './caller.ts'
import { Disagreement, same, shown } from './disagreement.ts'
import { statusesOf } from './effects.ts'
import { hasEnded, mayAdmit } from './rules/guests.ts'
import type { Organization, Person, Status } from './state.ts'
import type { World } from './world.ts'

const OK = { status: 200 }

/** Everything that the caller can read, held against what the rules say is there. */
export async function lookAround(world: World, caller: Caller): Promise<void> {
  if (!caller.session) return
  await ownAccount(world, caller)
  if (!isWorker(caller)) return
  await members(world, caller)
  await statuses(world, caller)
  await rooms(world, caller)
  await invitations(world, caller)
  if (caller.role === 'admin') await tokens(world, caller)
  if (mayAdmit(caller)) await waitingGuests(world, caller)
}

/** At the end of a story: what each person is shown, and what they have heard. */
export async function lookAtAll(world: World): Promise<void> {
  await world.settle()
  for (const person of world.people)
    for (const place of [0, 1])
      if (person.devices[place]?.session) await lookAround(world, callerOf(person, place))
}

const sorted = <Item>(list: readonly Item[]) =>
  list.map((item) => JSON.stringify(item)).toSorted((one, other) => (one < other ? -1 : 1))

async function ownAccount(
  world: World,
  { person, device, session, organization, name }: Caller,
): Promise<void> {
  const user = (await world.ask(device, 'getCurrentUser', {}, OK)) as {
    displayName: string
    currentOrganizationId: string
    organizationMemberships: { organization: { id: string; name: string }; role: Role; status: string }[]
  }
  const active = world.organizations.flatMap((one) => {
    const role = one.members.get(person)
    return role ? [[one.id, one.name, role, 'active']] : []
  })
  const waiting = world.organizations.flatMap((one) =>
    one.isDeleted || one.members.has(person) ? [] : waitingIn(world, one, person),
  )
  const shownThere = user.organizationMemberships.map((one) => [
    one.organization.id,
    one.organization.name,
    one.role,
    one.status,
  ])
  same(`the memberships of ${name}`, sorted(shownThere), sorted([...active, ...waiting]))
  same(`where ${name} works`, user.currentOrganizationId, organization?.id ?? '')
  same(`the name of ${name}`, user.displayName, person.displayName)
  const listed = (await world.ask(device, 'listOrganizations', {}, OK)) as {
    organizationId: string
    organizationName: string
    userRole: Role
  }[]
  const rows = listed.map((one) => [one.organizationId, one.organizationName, one.userRole, 'active'])
  same(`the organizations of ${name}`, sorted(rows), sorted(active))
  const { sessions } = (await world.ask(device, 'listSessions', {}, OK)) as {
    sessions: { current: boolean }[]
  }
  const places = person.devices.filter((one) => one.session).length
  same(
    `where ${name} is signed in`,
    [sessions.length, sessions.filter(({ current }) => current).length],
    [places, 1],
  )
  if (session) session.usedAt = world.now()
}

/** "They show as memberships with status pending." */
function waitingIn(world: World, organization: Organization, person: Person): unknown[][] {
  const waiting = organization.invitations.find(
    ({ email, state, expiresAt }) => email === person.email && state === 'pending' && expiresAt > world.now(),
  )
  return waiting ? [[organization.id, organization.name, waiting.role, 'pending']] : []
}

async function members(world: World, { device, organization, name }: Worker): Promise<void> {
  const { data, page } = (await world.ask(device, 'listMembers', { limit: 100 }, OK)) as {
    data: { id: string; role: Role; email: string; displayName: string; presenceStatus: Status }[]
    page: { total: number }
  }
  const listed = data.map(({ id, role, email, displayName }) => [id, role, email, displayName])
  const expected = [...organization.members].map(([one, role]) => [one.id, role, one.email, one.displayName])
  same(`the members that ${name} sees`, sorted(listed), sorted(expected))
  same(`how many members ${name} sees`, page.total, organization.members.size)
  for (const { id, presenceStatus } of data) {
    const member = world.people.find((one) => one.id === id)
    if (member) seen(organization, member, presenceStatus, { name, truly: false })
  }
}

async function statuses(world: World, { device, organization, person, name }: Worker): Promise<void> {
  const userIds = world.people.map(({ id }) => id)
  const body = await world.ask(device, 'getPresenceSnapshot', { userIds }, OK)
  const rows = (body as { statuses: { userId: string; status: Status }[] }).statuses
  const known = [...organization.members.keys()].map(({ presenceUserId }) => presenceUserId)
  same(
    `whose status ${name} sees`,
    rows.map(({ userId }) => userId),
    known.toSorted(),
  )
  for (const { userId, status } of rows) {
    const member = world.people.find(({ presenceUserId }) => presenceUserId === userId)
    if (member) seen(organization, member, status, { name, truly: member === person })
  }
}

/** "appear_offline is shown to others as offline; the caller's own row shows the truth." */
function seen(
  organization: Organization,
  member: Person,
  status: Status,
  { name, truly }: { name: string; truly: boolean },
): void {
  const can = statusesOf(organization, member)
  const fits = can.filter((one) => (truly || one !== 'appear_offline' ? one : 'offline') === status)
  if (fits.length === 0)
    throw new Disagreement(
      `the status of ${member.name} as ${name} sees it: the rules say ${shown(can)}, the office says ${status}`,
    )
  const isConnected = member.devices.some(({ line }) => line?.organization === organization)
  // without a connection a member goes offline at a moment that the model does not know
  organization.statuses.set(member, isConnected ? fits : [...new Set<Status>([...fits, 'offline'])])
}

/** Who was put out is gone a moment later. */
async function rooms(world: World, worker: Worker): Promise<void> {
  const expected = worker.organization.rooms
    .filter(({ isDeleted }) => !isDeleted)
    .map((room) => [
      room.id,
      room.name,
      room.isLocked,
      [...room.inside.keys()].map(({ id }) => id).toSorted(),
    ])
  let listed: unknown
  const isAsExpected = async () => {
    listed = await roomsListed(world, worker)
    return isDeepStrictEqual(listed, expected)
  }
  await eventually('the rooms', isAsExpected, { withinMs: 10_000, everyMs: 250 }).catch(() =>
    same(`the rooms that ${worker.name} sees`, listed, expected),
  )
}

async function roomsListed(world: World, { device }: Worker): Promise<unknown> {
  const body = (await world.ask(device, 'listRooms', {}, OK)) as {
    rooms: { id: string; name: string; locked: boolean; people: { userId: string }[] }[]
  }
  return body.rooms.map(({ id, name, locked, people }) => [
    id,
    name,
    locked,
    people.map(({ userId }) => userId).toSorted(),
  ])
}

async function invitations(world: World, { device, organization, role, name }: Worker): Promise<void> {
  const { data } = (await world.ask(device, 'listInvitation', { limit: 100 }, OK)) as {
    data: { id: string; email: string; role: Role; state: string; token: string }[]
  }
  const isInviter = INVITERS.includes(role)
  const expected = organization.invitations.map((one) => {
    const isOver = one.state === 'pending' && one.expiresAt <= world.now()
    return [one.id, one.email, one.role, isOver ? 'expired' : one.state, isInviter ? one.token : '']
  })
  const listed = data.map((one) => [one.id, one.email, one.role, one.state, one.token])
  same(`the invitations that ${name} sees`, listed, expected.toReversed())
}

async function tokens(world: World, { device, organization, name }: Worker): Promise<void> {
  const body = (await world.ask(device, 'listServiceTokens', {}, OK)) as {
    tokens: { id: string; name: string }[]
  }
  const expected = organization.tokens.filter(({ isRevoked }) => !isRevoked).map(({ id, name }) => [id, name])
  const listed = body.tokens.map(({ id, name }) => [id, name])
  same(`the tokens that ${name} sees`, listed, expected)
}

async function waitingGuests(world: World, { device, organization, name }: Worker): Promise<void> {
  const body = (await world.ask(device, 'listWaitingGuests', {}, OK)) as {
    guests: { guestIdentity: string; roomId: string }[]
  }
  const expected = organization.guests
    .filter(({ state, link }) => state === 'waiting' && !link.room.isDeleted && !hasEnded(world, link))
    .map(({ identity, link }) => [identity, link.room.id])
  const listed = body.guests.map(({ guestIdentity, roomId }) => [guestIdentity, roomId])
  same(`the guests who wait for ${name}`, sorted(listed), sorted(expected))
}
