import type { Role } from '@atrium/contract'

/** The answer that the rules expect: its status, the word of a refusal, fields of its body. */
export interface Expected {
  status: number
  error?: string
  body?: object
}

/** Who asks, by which device, and what the office knows of them. */
export interface Caller {
  person: Person
  device: Device
  session: Session | undefined
  organization: Organization | undefined
  role: Role | undefined
  /** For sentences. */
  name: string
}

export function callerOf(person: Person, place: number): Caller {
  const device = person.devices[place === 0 ? 0 : 1]
  const { session } = device
  const organization = session?.organization
  const role = organization?.members.get(person)
  const as = role ?? (session ? 'in no organization' : 'signed out')
  const name = `${person.name}${place === 0 ? '' : ' by phone'} (${organization && role ? `${role} of ${organization.name}` : as})`
  return { person, device, session, organization, role, name }
}

/** A caller who works in an organization. */
export type Worker = Caller & { session: Session; organization: Organization; role: Role }

export const isWorker = (caller: Caller): caller is Worker => caller.role !== undefined

/**
 * "No session is 401 and a role that never may is 403, whatever the body. An organization-scoped operation without an
 * active organization: 403." (decisions, Wire)
 */
export function refusalFirst(caller: Caller, roles?: readonly Role[]): Expected | undefined {
  if (!caller.session) return { status: 401, error: 'unauthenticated' }
  if (!caller.role) return { status: 403, error: 'no-active-organization' }
  if (roles && !roles.includes(caller.role)) return { status: 403, error: 'role-not-allowed' }
  return undefined
}

/** Who holds which permission: spec, Authentication 3 and Members; decisions, Roles. */
export const INVITERS: readonly Role[] = ['member', 'moderator', 'admin']
export const MODERATORS: readonly Role[] = ['moderator', 'admin']
export const ADMINS: readonly Role[] = ['admin']

import type { Device, Organization, Person, Session } from './state.ts'
