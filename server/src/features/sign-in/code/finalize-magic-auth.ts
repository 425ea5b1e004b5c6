import type { Input, Reply } from '@atrium/contract'
import type { CallerOf, Visitor } from '../../../access/caller.ts'
import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import { type SessionNeeds, startSession } from '../../../access/sessions/session.ts'
import { findEnforcedSso } from '../../../directory/domains/domains.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { listActiveMemberships, type MembershipRecord } from '../../../directory/members/memberships.ts'
import { holdUser, type UserRecord } from '../../../directory/users.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { hashToken, newToken } from '../../../platform/secrets/secret.ts'
import type { ProvenIdentity } from '../../../ports/identity.ts'
import { browserHashOf } from '../browser-binding.ts'
import { obstructedBy, unobstructed } from '../obstacles.ts'
import { toSessionUser } from '../session-user.ts'
import { acceptCode, type CompletionNeeds, joinByInvite, tellJoining } from '../sign-up/sign-up-steps.ts'
import { insertPendingSignIn } from '../switching/store.ts'
import { enterUpstreamOrGoOn, sealUpstream, type Upstream } from '../upstream-session.ts'
import type { CodeRequest } from './code-requests.ts'

interface Needs extends SessionNeeds, CompletionNeeds {
  callers: Pick<KnownCallers, 'forget'>
  imageBaseUrl: string
  /** Seals what the identity provider keeps of a sign-in until an organization is chosen. */
  choiceRing: KeyRing
}

const PENDING_LIFETIME_SECONDS = 10 * 60

/**
 * Proves an address by its code and signs its owner in; who belongs to several organizations chooses one first
 * (select-organization) and is not signed in until then.
 */
export async function finalizeMagicAuth(
  needs: Needs,
  caller: CallerOf<'finalizeMagicAuth'>,
  input: Input<'finalizeMagicAuth'>,
): Promise<Reply<'finalizeMagicAuth'>> {
  const { user, request, proven } = await proveByCode(needs, caller, input)
  const joined = await joinByInvite(needs, caller, user, request)
  const joining = await tellJoining(needs, user, joined)
  const memberships = await listActiveMemberships(needs.db, user.id)
  if (memberships.length > 1)
    return { status: 200, body: { user: await askForChoice(needs, user, memberships, proven), ...joining } }

  const only = memberships[0]
  const entered = await enterUpstreamOrGoOn(needs.identity, proven, only?.organizationIdentityId ?? null)
  if (!entered) throw Refusal.of('invalid-code')
  const hasBegun = await startSession(needs, caller, {
    user: user.id,
    email: user.email,
    organization: only?.organizationId ?? null,
    method: 'magic_auth',
    upstreamSession: entered.session,
  })
  if (!hasBegun) throw Refusal.of('invalid-code')
  return { status: 200, body: { user: toSessionUser(user, needs.imageBaseUrl), ...joining } }
}

/** One answer for every way in which a code may not fit: none of them is the caller's to know. */
async function proveByCode(
  needs: Needs,
  visitor: Visitor,
  input: Input<'finalizeMagicAuth'>,
): Promise<{ user: UserRecord; request: CodeRequest | undefined; proven: ProvenIdentity }> {
  const email = normalizeEmail(input.email)
  if (email && (await findEnforcedSso(needs, email))) {
    throw obstructedBy('single-sign-on-required')
  }
  const proven =
    email && unobstructed(await needs.identity.proveByCode(attemptOf(visitor, email, input.code)))
  const accepted = proven && (await acceptCode(needs, proven))
  if (!accepted) throw Refusal.of('invalid-code')
  return { ...accepted, proven }
}

function attemptOf(visitor: Visitor, email: string, code: string) {
  return { email, code, browserHash: browserHashOf(visitor, email) ?? null }
}

async function askForChoice(
  needs: Needs,
  user: UserRecord,
  memberships: MembershipRecord[],
  upstream: Upstream,
) {
  const now = needs.clock.now()
  const token = newToken('pat')
  const tokenHash = hashToken(token)
  const pending = {
    tokenHash,
    user: user.id,
    method: 'magic_auth' as const,
    organizations: memberships.map((membership) => membership.organizationId),
    sealedUpstream: sealUpstream(needs.choiceRing, upstream, tokenHash),
    expiresAt: secondsAfter(now, PENDING_LIFETIME_SECONDS),
  }
  const waits = await transaction(needs.db, async (tx) => {
    if (!(await holdUser(tx, user.id, user.email))) return false
    await insertPendingSignIn(tx, pending, now)
    return true
  })
  if (!waits) throw Refusal.of('invalid-code')
  return {
    id: user.id,
    email: user.email,
    pendingAuthenticationToken: token,
    organizations: memberships.map((membership) => ({
      id: membership.organizationIdentityId,
      name: membership.organizationName,
    })),
  }
}
