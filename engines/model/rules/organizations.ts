import { ADMINS, type Caller, type Expected, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { endLine, found } from '../effects.ts'
import { picked, type Rule, refused } from '../rule.ts'
import type { Organization } from '../state.ts'
import type { World } from '../world.ts'
import { roomsOf } from './rooms.ts'

/** Any organization of the story, by its id: one that is the caller's, another's, or gone. */
const anyOf = ({ organizations }: World, place: number) => picked(organizations, place)

/**
 * Operations that name their organization want the right in at least one, then in that one: what is another
 * organization's is not found.
 */
function inThatOne(world: World, caller: Caller, named: Organization): Expected | undefined {
  if (!caller.session) return refused(401, 'unauthenticated')
  const roles = world.organizations.flatMap(({ isDeleted, members }) =>
    isDeleted ? [] : (members.get(caller.person) ?? []),
  )
  if (!roles.includes('admin'))
    return refused(403, caller.session.organization ? 'role-not-allowed' : 'no-active-organization')
  const role = named.isDeleted ? undefined : named.members.get(caller.person)
  if (!role) return refused(404, 'organization-not-found')
  return role === 'admin' ? undefined : refused(403, 'role-not-allowed')
}

const create: Rule = {
  name: 'an organization is founded',
  written:
    'spec, create-organization: any authenticated user; decisions, Several organizations: its creator is admin',
  plan(world, drawn) {
    if (world.organizations.length > 5) return undefined
    const caller = world.caller(drawn)
    const name = `Firm ${world.organizations.length}`
    return calling(world, caller, {
      id: 'createOrganization',
      input: { name },
      says: `founds ${name}`,
      expected: caller.session
        ? { status: 200, body: { organizationName: name, domains: [] } }
        : refused(401, 'unauthenticated'),
      after({ id }: { id: string }) {
        const organization = found(world, caller.person, id, name)
        if (caller.session) caller.session.organization ??= organization
      },
    })
  },
}

const rename: Rule = {
  name: 'an organization is renamed',
  written: 'decisions, Roles: organization update is for admins; another organization’s is 404',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const named = anyOf(world, drawn.one)
    if (!named) return undefined
    const name = `Name ${drawn.other}`
    return calling(world, caller, {
      id: 'updateOrganization',
      input: { organizationId: named.id, name },
      says: `renames ${named.name} to ${name}`,
      expected: inThatOne(world, caller, named) ?? {
        status: 200,
        body: { id: named.id, organizationName: name },
      },
      after() {
        if (named.name === name) return
        named.name = name
        const data = { organizationId: named.id, organizationName: name }
        world.tell(named, 'organization.updated', data)
      },
    })
  },
}

const dissolve: Rule = {
  name: 'an organization is deleted',
  written: 'decisions, Roles: organization delete is for admins; everybody in it loses access at once',
  weight: 0.3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const named = anyOf(world, drawn.one)
    if (!named) return undefined
    return calling(world, caller, {
      id: 'deleteOrganization',
      input: { organizationId: named.id },
      says: `deletes ${named.name}`,
      expected: inThatOne(world, caller, named) ?? { status: 200 },
      after() {
        named.isDeleted = true
        for (const person of named.members.keys())
          for (const device of person.devices) {
            if (device.session?.organization !== named) continue
            endLine(person, device)
            device.session.organization = undefined
          }
        named.members.clear()
      },
    })
  },
}

const move: Rule = {
  name: 'somebody works in another organization',
  written: 'decisions, switch-organization: no session 401, another e-mail 403, no membership 404',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const named = anyOf(world, drawn.one)
    // another organization is another session: who is in a room by the former one is put out
    const isInside = roomsOf(world).some(({ inside }) => inside.has(caller.person))
    if (!named || caller.device.line || isInside) return undefined
    const email = drawn.other === 0 ? `not.${caller.person.email}` : caller.person.email
    return calling(world, caller, {
      id: 'switchOrganization',
      input: { email, organizationId: named.id },
      says: `goes to ${named.name}${drawn.other === 0 ? ' by another address' : ''}`,
      expected: switched(caller, named, email),
      after() {
        if (caller.session) caller.session.organization = named
      },
    })
  },
}

function switched({ session, person }: Caller, named: Organization, email: string): Expected {
  if (!session) return refused(401, 'unauthenticated')
  if (email !== person.email) return refused(403, 'another-person')
  if (!named.members.has(person)) return refused(404, 'not-found')
  return { status: 200 }
}

const settings: Rule = {
  name: 'the settings of an organization change',
  written: 'decisions, Rooms, people, media: guestAdmission, agents and language, by an admin',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const change = picked(
      [
        { guestAdmission: 'member' },
        { guestAdmission: 'moderator' },
        { guestAdmission: 'admin' },
        { language: 'de' },
      ],
      drawn.one,
    )
    const expected: Expected = refusalFirst(caller, ADMINS) ?? {
      status: 200,
      body: { ...(caller as Worker).organization.settings, ...change },
    }
    return calling(world, caller, {
      id: 'updateOrganizationSettings',
      ...{ input: change ?? {}, says: `sets ${JSON.stringify(change)}`, expected },
      after: () => void Object.assign((caller as Worker).organization.settings, change),
    })
  },
}

export const organizationRules: readonly Rule[] = [create, rename, dissolve, move, settings]
