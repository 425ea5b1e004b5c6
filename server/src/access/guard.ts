import type { Access, Operation } from '@atrium/contract'
import { listActiveMemberships } from '../directory/memberships.ts'
import type { Db } from '../platform/database/database.ts'
import { type CrossSiteFacts, refuseCrossSite } from '../platform/http/cross-site.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AnyCaller, SignedInCaller, Visitor } from './caller.ts'
import type { KnownCallers } from './known-callers.ts'
import { roleHolds } from './permissions.ts'
import { SESSION_COOKIE } from './session-rules.ts'

export interface GuardNeeds {
  db: Db
  callers: KnownCallers
  /** Origins whose browsers may call. */
  origins: readonly string[]
}

/**
 * Decides who calls an operation and whether they may, before its body is read: session, then cross-site
 * rules, then the role in the active organization.
 * @throws Refusal unauthenticated (401), forbidden (403) or unsupported (415)
 */
export async function admit(
  needs: GuardNeeds,
  declared: Operation,
  visitor: Visitor,
  facts: CrossSiteFacts,
  params: Readonly<Record<string, string>> = {},
): Promise<AnyCaller> {
  const { access } = declared
  const orReplaced = access.kind === 'session' && access.orReplaced === true
  const caller = access.kind === 'public' ? visitor : await requireSession(needs.callers, visitor, orReplaced)
  if (declared.method !== 'GET') refuseCrossSite(facts, needs.origins)
  if (declared.access.kind === 'organization') requireRole(declared.access, caller as SignedInCaller, params)
  if (declared.access.kind === 'any-organization') {
    await requireRoleSomewhere(needs.db, declared.access, caller as SignedInCaller)
  }
  return caller
}

async function requireSession(
  callers: KnownCallers,
  visitor: Visitor,
  orReplaced: boolean,
): Promise<SignedInCaller> {
  const token = visitor.cookies.read(SESSION_COOKIE)
  const live = token ? await callers.find(token) : undefined
  const known = live ?? (token && orReplaced ? await callers.findReplacement(token) : undefined)
  if (!known) throw new Refusal('unauthenticated', 'Sign in first')
  return { ...visitor, ...known }
}

function requireRole(
  access: Extract<Access, { kind: 'organization' }>,
  caller: SignedInCaller,
  params: Readonly<Record<string, string>>,
): void {
  if (!caller.organization) {
    throw new Refusal('forbidden', 'No organization is active', { error: 'no-active-organization' })
  }
  if (access.orOneself && params[access.orOneself] === caller.user.id) return
  if (access.permission && !roleHolds(caller.organization.role, access.permission)) {
    throw new Refusal('forbidden', 'Your role does not allow this', { error: 'role-not-allowed' })
  }
}

/** Who holds the permission nowhere is told so before anything they sent is looked at. */
async function requireRoleSomewhere(
  db: Db,
  access: Extract<Access, { kind: 'any-organization' }>,
  caller: SignedInCaller,
): Promise<void> {
  if (caller.organization && roleHolds(caller.organization.role, access.permission)) return
  const memberships = await listActiveMemberships(db, caller.user.id)
  if (memberships.some(({ role }) => roleHolds(role, access.permission))) return
  throw new Refusal('forbidden', 'Your role does not allow this', { error: 'role-not-allowed' })
}
