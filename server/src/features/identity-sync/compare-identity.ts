import { listMembershipStates, type MembershipState } from '../../directory/members/memberships.ts'
import { listOrganizationsAfter, type OrganizationRef } from '../../directory/organizations.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import { isDatabaseAway } from '../../platform/database/database-errors.ts'
import type { IdentityUserId, OrganizationId } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { ProviderMembership } from '../../ports/identity-news.ts'
import { alignDomains, alignMembership, type FollowNeeds } from './follow-identity.ts'
import { keepReconciledAt, readNewsPosition } from './identity-news.ts'

const AGAIN_AFTER_SECONDS = DAY_SECONDS
const BATCH = 100
/** Where so many organizations cannot be asked for, and none could, the rest need not be tried now. */
const FAILURES_MAX = 3

/**
 * Compares every membership with the identity provider's, and mends what differs as its news would have: for news that
 * were missed. Once a day, and when the place where news are read from is new or was lost. Only what the provider says
 * of one person, asked once more, takes a membership away: never that a list lacks them, that an organization is
 * unknown there, or that it does not answer.
 */
export async function compareIdentity(needs: FollowNeeds, signal: AbortSignal): Promise<void> {
  const began = needs.clock.now()
  const { reconciledAt: last } = await readNewsPosition(needs.db, began)
  if (last && secondsAfter(last, AGAIN_AFTER_SECONDS) > began) return

  let failures = 0
  let isAnswered = false
  for await (const organization of allOrganizations(needs)) {
    if (signal.aborted) return
    try {
      await compare(needs, organization, signal)
      isAnswered = true
    } catch (error) {
      const about = { err: error, organization: organization.identityId }
      needs.log.warn(about, 'an organization was not compared')
      // what cannot be taken over here holds nothing else up, and would not the next time
      if (!(error instanceof ProviderFailure || isDatabaseAway(error))) continue
      failures += 1
      if (!isAnswered && failures === FAILURES_MAX) throw error
    }
  }
  // What could not be compared is tried again by the next round, with all the rest.
  if (failures === 0 && !signal.aborted) await keepReconciledAt(needs.db, began)
}

async function* allOrganizations({ db }: FollowNeeds): AsyncGenerator<OrganizationRef> {
  for (let after: OrganizationId | undefined; ; ) {
    const batch = await listOrganizationsAfter(db, after, BATCH)
    yield* batch
    after = batch.at(-1)?.id
    if (batch.length < BATCH) return
  }
}

async function compare(
  needs: FollowNeeds,
  organization: OrganizationRef,
  signal: AbortSignal,
): Promise<void> {
  const theirs = await needs.news.listMemberships(organization.identityId)
  if (!theirs) {
    needs.log.warn(
      { organization: organization.identityId },
      'the identity provider does not know one of our organizations',
    )
    return
  }
  const ours = await listMembershipStates(needs.db, organization.id)
  if (theirs.size === 0 && ours.size > 0) {
    needs.log.warn(
      { organization: organization.identityId },
      'the identity provider knows nobody in one of our organizations: nothing is taken over',
    )
    return
  }
  for (const user of new Set([...ours.keys(), ...theirs.keys()])) {
    if (signal.aborted) return
    if (differs(ours.get(user), theirs.get(user))) await align(needs, organization, user)
  }
  await alignDomains(needs, organization)
}

/** A membership that cannot be taken over does not keep those behind it from losing theirs. */
async function align(needs: FollowNeeds, organization: OrganizationRef, user: IdentityUserId): Promise<void> {
  try {
    await alignMembership(needs, organization, user)
  } catch (error) {
    if (error instanceof ProviderFailure || isDatabaseAway(error)) throw error
    const about = { err: error, organization: organization.identityId, user }
    needs.log.warn(about, 'the place of somebody at the identity provider could not be taken over')
  }
}

/** Who has no access here and is not there is where they should be. */
function differs(our: MembershipState | undefined, their: ProviderMembership | undefined): boolean {
  if (!their) return our?.status === 'active'
  return our?.status !== their.status || (their.role !== undefined && our.role !== their.role)
}
