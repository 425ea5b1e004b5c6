import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type SessionNeeds, startSession } from '../../../access/sessions/session.ts'
import { mayEnter } from '../../../access/sessions/sign-on-reach.ts'
import { findEnforcedSso } from '../../../directory/domains/domains.ts'
import { listActiveMemberships } from '../../../directory/members/memberships.ts'
import { findUserById } from '../../../directory/users.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { toSessionUser } from '../session-user.ts'
import { enterUpstream, openUpstream } from '../upstream-session.ts'
import { findPendingSignIn, spendPendingSignIn } from './store.ts'

interface Needs extends SessionNeeds {
  identity: IdentityPort
  imageBaseUrl: string
  /** Opens what `finalizeMagicAuth` sealed. */
  choiceRing: KeyRing
}

/** Signs in to one of the organizations that the token was made for. A wrong pick does not spend the token. */
export async function selectOrganization(
  needs: Needs,
  caller: CallerOf<'selectOrganization'>,
  input: Input<'selectOrganization'>,
): Promise<Reply<'selectOrganization'>> {
  const now = needs.clock.now()
  const tokenHash = hashToken(input.pendingAuthenticationToken)
  const pending = await findPendingSignIn(needs.db, tokenHash, now)
  const user = pending && (await findUserById(needs.db, pending.user))
  if (!pending || !user) throw Refusal.of('invalid-pending-authentication-token')

  const memberships = await listActiveMemberships(needs.db, user.id)
  const chosen = memberships.find((membership) => membership.organizationIdentityId === input.organizationId)
  if (!chosen || !pending.organizations.includes(chosen.organizationId)) {
    throw Refusal.of('not-found', { message: 'This organization is not among those offered' })
  }
  const enforcedSso = await findEnforcedSso(needs, user.email)
  const session = { method: pending.method, ssoOrganizationId: null }
  if (!mayEnter(session, chosen.organizationId, enforcedSso))
    throw Refusal.of('invalid-pending-authentication-token')
  const upstream = openUpstream(needs.choiceRing, pending.sealedUpstream, tokenHash)
  // Before the token is spent: no user loses their sign-in to a provider that is away just now.
  const entered = upstream && (await enterUpstream(needs.identity, upstream, chosen.organizationIdentityId))
  if (!entered) throw Refusal.of('invalid-pending-authentication-token')

  const start = {
    user: user.id,
    email: user.email,
    organization: chosen.organizationId,
    method: pending.method,
    upstreamSession: entered.session,
  }
  // With the account held: what ends the sign-in at this moment ends the session, or finds none begun.
  const hasBegun = await startSession(needs, caller, start, async (tx) => {
    if (!(await spendPendingSignIn(tx, pending.id, now)))
      throw Refusal.of('invalid-pending-authentication-token')
  })
  if (!hasBegun) throw Refusal.of('invalid-pending-authentication-token')
  return { status: 200, body: { user: toSessionUser(user, needs.imageBaseUrl) } }
}
