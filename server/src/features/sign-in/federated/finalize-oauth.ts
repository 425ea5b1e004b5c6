import type { Input, Reply } from '@atrium/contract'
import type { CallerOf, Visitor } from '../../../access/caller.ts'
import { startSession } from '../../../access/sessions/session.ts'
import { readDeparture } from '../../../directory/members/departures.ts'
import { listActiveMemberships, type MembershipRecord } from '../../../directory/members/memberships.ts'
import { findOrganizationById } from '../../../directory/organizations.ts'
import { lastOrganizationOf, type UserRecord } from '../../../directory/users.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { openOrNothing } from '../../../platform/secrets/sealed-column.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { AssertedIdentity } from '../../../ports/asserted-identity.ts'
import { browserHashOf } from '../browser-binding.ts'
import { toSessionUser } from '../session-user.ts'
import { type JoinOutcome, joinByDomain, tellJoining } from '../sign-up/sign-up-steps.ts'
import { enterUpstreamOrGoOn } from '../upstream-session.ts'
import { type ArrivalNeeds, personOf } from './person-of-identity.ts'
import { spendCode } from './redirect-store.ts'

interface Needs extends ArrivalNeeds {
  imageBaseUrl: string
}

/**
 * Signs in a visitor who comes back from a provider with a code of ours. Single sign-on enters its own organization and
 * makes its people members of it; social sign-in enters the organization of last time, else the oldest.
 */
export async function finalizeOauth(
  needs: Needs,
  caller: CallerOf<'finalizeOauth'>,
  input: Input<'finalizeOauth'>,
): Promise<Reply<'finalizeOauth'>> {
  const browserHash = browserHashOf(caller, input.code)
  const returned =
    browserHash &&
    (await spendCode(needs.db, { codeHash: hashToken(input.code), browserHash }, needs.clock.now()))
  if (!returned) throw expired()
  const context = ['redirect_sign_ins.sealed_identity', returned.id] as const
  const opened = openOrNothing(needs.redirectRing, returned.sealedIdentity, context)
  if (!opened) throw expired()
  const identity = JSON.parse(opened.toString()) as AssertedIdentity
  const sso = returned.organization
  try {
    return await enter(needs, caller, identity, sso)
  } catch (error) {
    // the trail of the organization of the single sign-on notes it
    throw error instanceof Refusal && sso ? error.within(sso) : error
  }
}

async function enter(
  needs: Needs,
  caller: Visitor,
  identity: AssertedIdentity,
  sso: OrganizationId | null,
): Promise<Reply<'finalizeOauth'>> {
  const user = await personOf(needs, identity, sso)
  const { place, joined } = sso
    ? await enterBySingleSignOn(needs, caller, user, sso)
    : { place: await placeOf(needs, user), joined: undefined }
  const entered = await enterUpstreamOrGoOn(needs.identity, identity, place?.organizationIdentityId ?? null)
  if (!entered) throw expired()
  const organization = place?.organizationId ?? null
  const joining = await tellJoining(needs, user, joined, sso)
  const hasBegun = await startSession(needs, caller, {
    user: user.id,
    email: user.email,
    organization,
    method: sso ? 'sso' : 'oauth',
    ...(sso ? { ssoOrganization: sso } : {}),
    upstreamSession: entered.session,
  })
  if (!hasBegun) throw expired()
  return { status: 200, body: { user: toSessionUser(user, needs.imageBaseUrl), ...joining } }
}

function expired(): Refusal {
  return Refusal.of('invalid-code', { message: 'The sign-in has expired; begin again' })
}

async function enterBySingleSignOn(
  needs: Needs,
  visitor: Visitor,
  user: UserRecord,
  id: OrganizationId,
): Promise<{ place: MembershipRecord | undefined; joined: JoinOutcome | undefined }> {
  const organization = await findOrganizationById(needs.db, id)
  const joined = organization && (await joinByDomain(needs, visitor, user, organization))
  const memberships = await listActiveMemberships(needs.db, user.id)
  const place = memberships.find(({ organizationId }) => organizationId === id)
  // signed in all the same: the address is theirs, the organization is not any more
  if (place || (await readDeparture(needs.db, id, user.id))) return { place, joined }
  throw Refusal.of('membership-not-active')
}

async function placeOf(needs: Needs, user: UserRecord): Promise<MembershipRecord | undefined> {
  const memberships = await listActiveMemberships(needs.db, user.id)
  const last = await lastOrganizationOf(needs.db, user.id)
  return memberships.find(({ organizationId }) => organizationId === last) ?? memberships[0]
}
