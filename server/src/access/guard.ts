import { type Access, isSafe, type Operation } from '@atrium/contract'
import { roleAdmits } from '../directory/members/members.ts'
import { listActiveMemberships } from '../directory/members/memberships.ts'
import type { Db } from '../platform/database/database.ts'
import { type CrossSiteFacts, refuseCrossSite } from '../platform/http/origins/cross-site.ts'
import { Refusal } from '../platform/refusal.ts'
import { kindOfBearer } from './bearers/bearer-token.ts'
import type { KnownBearers } from './bearers/known-bearers.ts'
import { callerOfToken } from './bearers/token-caller.ts'
import type {
  AnyCaller,
  BotCaller,
  CallerFor,
  MemberCaller,
  SignedInCaller,
  TokenCaller,
  Visitor,
} from './caller.ts'
import { isDecidedByOrganization, requirePermission, roleHolds } from './permissions.ts'
import type { KnownCallers } from './sessions/known-callers.ts'
import { GUEST_COOKIE_PREFIX, SESSION_COOKIE } from './sessions/session-rules.ts'

export interface GuardNeeds {
  db: Db
  callers: Pick<KnownCallers, 'find' | 'findReplacement'>
  bearers: Pick<KnownBearers, 'find'>
  /** Origins with browsers that may call. */
  origins: readonly string[]
}

/** What is asked for: an operation, or what is served beside them. */
export type Guarded = Pick<Operation, 'method' | 'access'>

/** What of a request is looked at, beside the cookies. */
export interface RequestFacts extends CrossSiteFacts {
  /** As `bearerOf` answers it. */
  bearer: string | undefined
  /** Called with a known caller before the guard decides: the record of a refusal names its caller. */
  onKnown?: (caller: AnyCaller) => void
}

/**
 * Decides who calls an operation and whether they may, before its body is read: session, then cross-site rules, then
 * the role in the active organization. A request with a bearer is known by it or not at all; browsers add none by
 * themselves, so that cross-site rules have nothing to protect there.
 * @throws Refusal unauthenticated (401), forbidden (403) or unsupported (415)
 */
export function admit<Declared extends Guarded>(
  needs: GuardNeeds,
  asked: readonly [id: string, declared: Declared],
  visitor: Visitor,
  facts: RequestFacts,
  params: Readonly<Record<string, string>> = {},
): Promise<CallerFor<Declared['access']>> {
  return whoMay(needs, asked, visitor, facts, params) as Promise<CallerFor<Declared['access']>>
}

async function whoMay(
  needs: GuardNeeds,
  [id, declared]: readonly [id: string, declared: Guarded],
  visitor: Visitor,
  facts: RequestFacts,
  params: Readonly<Record<string, string>>,
): Promise<AnyCaller> {
  const { access } = declared
  const { bearer } = facts
  if (bearer !== undefined) {
    return access.kind === 'public'
      ? visitor
      : await requireToken(needs.bearers, [id, access], visitor, facts)
  }
  if (access.kind === 'bearer')
    throw Refusal.of('unauthenticated', { message: 'Send a token: Authorization: Bearer …' })
  if (access.kind === 'guest') return guestBy(visitor, declared, facts, needs.origins)
  const orReplaced = access.kind === 'session' && access.orReplaced === true
  const found = access.kind === 'public' ? visitor : requireSession(needs.callers, visitor, orReplaced)
  const caller = found instanceof Promise ? await found : found
  facts.onKnown?.(caller)
  if (!isSafe(declared.method)) refuseCrossSite(facts, needs.origins)
  if (access.kind === 'organization') {
    requireRole(access, caller as SignedInCaller, params)
    // only then there is something to wait for
    if (access.permission && isDecidedByOrganization(access.permission))
      await requireAdmittingRole(needs.db, caller as MemberCaller)
  }
  if (access.kind === 'any-organization') {
    await requireRoleSomewhere(needs.db, access, caller as SignedInCaller)
  }
  return caller
}

/**
 * A visitor with the cookie of a place before or in a room; the handler finds out which place, and whether it is
 * admitted.
 */
function guestBy(
  visitor: Visitor,
  { method }: Guarded,
  facts: RequestFacts,
  origins: readonly string[],
): Visitor {
  if (!isSafe(method)) refuseCrossSite(facts, origins)
  if (!visitor.cookies.hasAny(GUEST_COOKIE_PREFIX)) throw Refusal.of('unauthenticated')
  return visitor
}

/**
 * A token may do what it was made for: it has no role, and may never do what needs a person. That of a bot may do, as the
 * member that it is, what the contract opens to bots.
 */
async function requireToken(
  bearers: GuardNeeds['bearers'],
  [operationId, access]: readonly [id: string, access: Access],
  visitor: Visitor,
  { bearer = '', onKnown }: RequestFacts,
): Promise<TokenCaller | BotCaller> {
  const isBot = kindOfBearer(bearer) === 'bot'
  const kind = access.kind === 'bearer' ? access.bearer : isBot ? 'bot' : 'service'
  const known = await bearers.find(bearer, kind)
  if (!known)
    throw Refusal.of('unauthenticated', { message: 'This token is unknown, has expired or was revoked' })
  const caller = callerOfToken(known, visitor)
  onKnown?.(caller)
  if ('bot' in caller) return requireOpenToBots(caller, access)
  if (access.kind === 'bearer') return caller
  if (access.kind !== 'organization' || !access.serviceTokens)
    throw tokenNotAllowed('No service token may call this operation: it is for people')
  if (!caller.token.operations.includes(operationId)) {
    throw tokenNotAllowed('This token was not made for this operation')
  }
  return caller
}

function requireOpenToBots(caller: BotCaller, access: Access): BotCaller {
  if (access.kind !== 'organization' || !access.bots)
    throw tokenNotAllowed('No bot may call this operation: it is for people')
  if (access.permission) requirePermission(caller.organization.role, access.permission)
  return caller
}

function tokenNotAllowed(message: string): Refusal {
  return Refusal.of('token-not-allowed', { message })
}

/** At once where the caller is remembered, as nearly always. */
function requireSession(
  callers: GuardNeeds['callers'],
  visitor: Visitor,
  orReplaced: boolean,
): Promise<SignedInCaller> | SignedInCaller {
  const token = visitor.cookies.read(SESSION_COOKIE)
  if (!token) throw Refusal.of('unauthenticated')
  const known = callers.find(token)
  return known === undefined || known instanceof Promise
    ? lookUpSession(callers, known, { token, visitor, orReplaced })
    : { ...visitor, ...known }
}

async function lookUpSession(
  callers: GuardNeeds['callers'],
  found: ReturnType<KnownCallers['find']>,
  { token, visitor, orReplaced }: { token: string; visitor: Visitor; orReplaced: boolean },
): Promise<SignedInCaller> {
  const known = (await found) ?? (orReplaced ? await callers.findReplacement(token) : undefined)
  if (!known) throw Refusal.of('unauthenticated')
  return { ...visitor, ...known }
}

function requireRole(
  { permission, orOneself }: Extract<Access, { kind: 'organization' }>,
  { organization, user }: SignedInCaller,
  params: Readonly<Record<string, string>>,
): void {
  if (!organization) throw Refusal.of('no-active-organization')
  if (!permission || isDecidedByOrganization(permission)) return
  if (orOneself && params[orOneself] === user.id) return
  requirePermission(organization.role, permission)
}

async function requireAdmittingRole(db: Db, { organization }: MemberCaller): Promise<void> {
  if (!(await roleAdmits(db, organization.id, organization.role))) throw Refusal.of('role-not-allowed')
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
  throw caller.organization ? Refusal.of('role-not-allowed') : Refusal.of('no-active-organization')
}
