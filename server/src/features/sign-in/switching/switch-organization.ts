import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import { replaceSession, type SessionNeeds } from '../../../access/sessions/session.ts'
import { SESSION_COOKIE } from '../../../access/sessions/session-rules.ts'
import { mayEnter } from '../../../access/sessions/sign-on-reach.ts'
import { findEnforcedSso } from '../../../directory/domains/domains.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { listActiveMemberships } from '../../../directory/members/memberships.ts'
import { findUserById } from '../../../directory/users.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { toSessionUser } from '../session-user.ts'

interface Needs extends SessionNeeds {
  callers: Pick<KnownCallers, 'forget' | 'findReplacement'>
  identity: IdentityPort
  imageBaseUrl: string
}

/**
 * Moves the session into another organization of its person, under a new session id. Listed among the public
 * operations, but it acts on a session: the e-mail identifies no user, it only has to be the session's.
 */
export async function switchOrganization(
  needs: Needs,
  caller: CallerOf<'switchOrganization'>,
  input: Input<'switchOrganization'>,
): Promise<Reply<'switchOrganization'>> {
  const { session, organization: present } = caller
  if (session.askedByEarlierId && present?.identityId !== input.organizationId)
    throw Refusal.of('unauthenticated')
  if (normalizeEmail(input.email) !== caller.user.email) {
    throw Refusal.of('another-person')
  }
  const memberships = await listActiveMemberships(needs.db, caller.user.id)
  const target = memberships.find((membership) => membership.organizationIdentityId === input.organizationId)
  if (!target) throw Refusal.of('not-found', { message: 'There is no such organization among yours' })

  const enforcedSso = await findEnforcedSso(needs, caller.user.email)
  if (!mayEnter(session, target.organizationId, enforcedSso)) throw Refusal.of('sign-in-method-not-accepted')
  const user = await findUserById(needs.db, caller.user.id)
  if (!user || !(await enter(needs, caller, target.organizationId))) throw Refusal.of('unauthenticated')
  return { status: 200, body: { user: toSessionUser(user, needs.imageBaseUrl) } }
}

/** Moves the session, unless another click on the same has moved it just now: that one has the cookie. */
async function enter(
  needs: Needs,
  caller: CallerOf<'switchOrganization'>,
  organization: OrganizationId,
): Promise<boolean> {
  if (caller.session.askedByEarlierId) return true
  if (await replaceSession(needs, caller, organization)) return true
  const earlier = caller.cookies.read(SESSION_COOKIE) ?? ''
  const moved = await needs.callers.findReplacement(earlier)
  return moved?.organization?.id === organization
}
