import { setTimeout as pause } from 'node:timers/promises'
import { type Caller, callerOf } from '../caller.ts'
import { calling } from '../calling.ts'
import { endLine, endSession, mayBe, startSession } from '../effects.ts'
import { openLine } from '../line.ts'
import { picked, type Rule, refused } from '../rule.ts'
import { freshCode } from '../scene.ts'
import type { Organization, Person } from '../state.ts'
import type { World } from '../world.ts'

const MOVES_WITHIN_MS = 2_500

const workplacesOf = ({ organizations }: World, person: Person) =>
  organizations.filter(({ members }) => members.has(person))

const signIn: Rule = {
  name: 'somebody signs in by a mailed code',
  written:
    'spec, finalize-magic-auth: several organizations are chosen from by select-organization; decisions: one is entered, none leaves it open; a code works once',
  weight: 6,
  plan(world, drawn) {
    const caller = callerOf(world.person(drawn.who), drawn.device)
    if (caller.session || caller.person.isDeleted) return undefined
    const workplaces = workplacesOf(world, caller.person)
    const chosen = picked(workplaces, drawn.one)
    return {
      says: `${caller.name} signs in${workplaces.length > 1 ? ` and chooses ${chosen?.name}` : ''}`,
      act: () => signInTo(world, caller, workplaces, chosen),
    }
  },
}

async function signInTo(
  world: World,
  { person, device }: Caller,
  workplaces: readonly Organization[],
  chosen: Organization | undefined,
): Promise<void> {
  const { email, id } = person
  const begun = { status: 200, body: { authData: { authMethod: 'magic_auth' } } }
  const code = await freshCode(world, email, () => world.ask(device, 'signIn', { email }, begun))
  const wrong = code === '000000' ? '000001' : '000000'
  await world.ask(device, 'finalizeMagicAuth', { email, code: wrong }, refused(400, 'invalid-code'))
  const reply = (await world.ask(device, 'finalizeMagicAuth', { email, code }, { status: 200 })) as {
    user: { id: string; pendingAuthenticationToken?: string }
  }
  if (reply.user.id !== id) throw new Error(`${email} signed in as ${reply.user.id}`)
  const { pendingAuthenticationToken } = reply.user
  if (chosen && workplaces.length > 1) {
    const choice = { pendingAuthenticationToken, organizationId: chosen.id }
    await world.ask(device, 'selectOrganization', choice, { status: 200 })
    await world.ask(
      device,
      'selectOrganization',
      choice,
      refused(400, 'invalid-pending-authentication-token'),
    )
  }
  startSession(world, device, chosen)
}

const signOut: Rule = {
  name: 'somebody signs out',
  written: 'spec, sign-out; decisions, Session: what was minted from it ends with it',
  weight: 0.6,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    return calling(world, caller, {
      id: 'signOut',
      says: 'signs out',
      expected: caller.session ? { status: 200 } : refused(401, 'unauthenticated'),
      after: () => endSession(world, caller.person, caller.device),
    })
  },
}

const endOthers: Rule = {
  name: 'somebody ends their other sessions',
  written: 'decisions, Session: a person can list their sessions and end one or all others, at once',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    return calling(world, caller, {
      id: 'endSessions',
      input: { others: true },
      says: 'ends every other session',
      expected: caller.session ? { status: 204 } : refused(401, 'unauthenticated'),
      after() {
        for (const device of caller.person.devices)
          if (device !== caller.device) endSession(world, caller.person, device)
      },
    })
  },
}

const open: Rule = {
  name: 'somebody opens the office on a device',
  written:
    'spec, Presence: connected moves offline to online, and overrides nothing else; token: 403 without an organization',
  weight: 5,
  plan(world, drawn) {
    const { session, organization, role, device, person, name } = world.caller(drawn)
    if (!session || !organization || !role || device.line) return undefined
    return {
      says: `${name} opens the office`,
      async act() {
        await world.settle()
        // what was told of rooms before is not heard by it, and the media server counts in seconds
        await pause(Math.max(0, world.movedAt + MOVES_WITHIN_MS - Date.now()))
        device.line = await openLine(device, organization, world.now)
        session.usedAt = world.now()
        const statuses = organization.statuses.get(person) ?? ['offline']
        // offline becomes online; what was chosen stays
        const now = statuses.map((status) => (status === 'offline' ? 'online' : status))
        organization.statuses.set(person, [...new Set(now)])
      },
    }
  },
}

const close: Rule = {
  name: 'somebody closes the office on a device',
  written: 'spec, Presence: the connectivity poll moves those without a connection to offline',
  plan(world, drawn) {
    const { device, person, name } = world.caller(drawn)
    if (!device.line) return undefined
    return {
      says: `${name} closes the office`,
      async act() {
        await world.settle()
        endLine(person, device, 'closed')
      },
    }
  },
}

const choose: Rule = {
  name: 'somebody chooses a status',
  written: 'spec, POST /presence/status: any to the requested status, the caller’s own true one is answered',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const { session, organization, role, person } = caller
    const status = picked(['online', 'away', 'busy', 'appear_offline'] as const, drawn.one) ?? 'online'
    const refusal = session ? refused(403, 'no-active-organization') : refused(401, 'unauthenticated')
    return calling(world, caller, {
      id: 'setPresenceStatus',
      input: { status },
      says: `is ${status}`,
      expected: role ? { status: 200, body: { userId: person.presenceUserId, status } } : refusal,
      after() {
        if (!organization) return
        organization.statuses.set(person, [status])
        const isConnected = person.devices.some(({ line }) => line?.organization === organization)
        if (!isConnected) mayBe(organization, person, 'offline')
      },
    })
  },
}

export const sessionRules: readonly Rule[] = [signIn, signOut, endOthers, open, close, choose]
