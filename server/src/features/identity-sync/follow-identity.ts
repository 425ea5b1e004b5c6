import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { deactivateOrganization, revokeUpstreamSession } from '../../access/sessions/session-endings.ts'
import { nameFromEmail } from '../../directory/display-name.ts'
import { claimDomain, normalizeDomain, removeDomain, settleDomain } from '../../directory/domains/domains.ts'
import { normalizeEmail } from '../../directory/email-address.ts'
import { readDeparture } from '../../directory/members/departures.ts'
import { countAdmins, lockMembers, removeMembership } from '../../directory/members/members.ts'
import {
  type MembershipState,
  putMembership,
  readMembershipState,
} from '../../directory/members/memberships.ts'
import { findOrganization, type OrganizationRef } from '../../directory/organizations.ts'
import { ensureUser, findUserByIdentityId, type UserRecord } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { isDatabaseAway } from '../../platform/database/database-errors.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { IdentityUserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { IdentityNews, IdentityNewsPort } from '../../ports/identity-news.ts'
import { revokeInvitationsOf } from '../invitations/reads.ts'
import {
  hasPendingChange,
  keepNewsCursor,
  loseNewsPosition,
  markTold,
  readNewsPosition,
  tellAgain,
} from './identity-news.ts'

const REMOVED_THERE = { kind: 'removed', removedBy: 'identity-provider' } as const

export interface FollowNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  callers: Pick<KnownCallers, 'forget'>
  news: IdentityNewsPort
}

/**
 * Follows what is done at the identity provider beside us: people taken out or given another role there, domains that
 * it has verified, sessions ended there. Read from a cursor that moves on when a batch has been followed; all of it is
 * repeatable.
 */
export async function followIdentity(needs: FollowNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const read = await needs.news.read(await readNewsPosition(needs.db, needs.clock.now()))
    if (read === 'lost') {
      needs.log.warn({}, 'news of the identity provider were missed: memberships and domains are compared')
      await loseNewsPosition(needs.db, needs.clock.now())
      return
    }
    const { news, cursor } = read
    for (const one of news) {
      if (signal.aborted) return
      await follow(needs, one)
    }
    if (cursor === null) return
    await keepNewsCursor(needs.db, cursor)
  }
}

/** What does not answer, provider or database, is asked again by the next round; what cannot be followed holds nothing else up. */
async function follow(needs: FollowNeeds, news: IdentityNews): Promise<void> {
  try {
    if (news.kind === 'session-ended') await endSessions(needs, news.session)
    else {
      const organization = await findOrganization(needs.db, news.organization)
      if (!organization) return
      if (news.kind === 'membership') await alignMembership(needs, organization, news.user)
      else if (news.kind === 'domains') await alignDomains(needs, organization)
      else await removeDomain(needs.db, organization.id, news.domain.toLowerCase())
    }
  } catch (error) {
    if (error instanceof ProviderFailure || isDatabaseAway(error)) throw error
    needs.log.warn({ err: error, kind: news.kind }, 'news of the identity provider could not be followed')
  }
}

async function endSessions(needs: FollowNeeds, session: string): Promise<void> {
  const owners = await revokeUpstreamSession(needs.db, session, needs.clock.now())
  for (const owner of owners) needs.callers.forget(owner)
}

/** Takes over the domains of an organization as the provider has them. None is taken away by this. */
export async function alignDomains(needs: FollowNeeds, organization: OrganizationRef): Promise<void> {
  for (const { domain, state } of await needs.news.listDomains(organization.identityId)) {
    const name = normalizeDomain(domain)
    if (!name) continue
    const claim = { organization: organization.id, domain: name }
    const now = needs.clock.now()
    await transaction(needs.db, async (tx) => {
      if (!(await lockMembers(tx, organization.id))) return
      await claimDomain(tx, { ...claim, challenge: '' }, now)
      await settleDomain(tx, { ...claim, state }, now)
    })
  }
}

/**
 * Takes over a user's membership of an organization as the provider has it now. Changes that the provider has still to
 * hear of stay, and so does the last admin.
 */
export async function alignMembership(
  needs: FollowNeeds,
  organization: OrganizationRef,
  identityUser: IdentityUserId,
): Promise<void> {
  const known = await findUserByIdentityId(needs.db, identityUser)
  // before and after the provider is asked: in between it may be told, and its answer be older than that
  if (known && (await hasPendingChange(needs.db, organization.id, known.id))) return
  const before = known && (await readMembershipState(needs.db, organization.id, known.id))
  const theirs = await needs.news.findMembership({
    organization: organization.identityId,
    user: identityUser,
  })
  const user = known ?? (theirs && (await welcome(needs, identityUser)))
  if (!user) return
  const wanted = theirs && { role: theirs.role ?? before?.role ?? 'member', status: theirs.status }
  if (isSame(before, wanted)) return
  const change = { organization, user, before, wanted }
  await transaction(needs.db, (tx) => apply(tx, change, needs.clock.now()))
  needs.callers.forget(user.id)
}

/** A user who was made at the provider, and never came here. */
async function welcome(needs: FollowNeeds, identityId: IdentityUserId): Promise<UserRecord | undefined> {
  const email = normalizeEmail((await needs.news.findVerifiedEmail(identityId)) ?? '')
  if (!email) return undefined
  const person = { identityId, email, displayName: nameFromEmail(email), emailVerified: true }
  await ensureUser(needs.db, person, needs.clock.now())
  return await findUserByIdentityId(needs.db, identityId)
}

interface Change {
  organization: OrganizationRef
  user: UserRecord
  before: MembershipState | undefined
  wanted: MembershipState | undefined
}

/** Where something of ours is still to be told, or was changed since the provider was asked, ours is the newer word. */
async function apply(tx: Tx, { organization, user, before, wanted }: Change, now: Date): Promise<void> {
  if (!(await lockMembers(tx, organization.id))) return
  const current = await readMembershipState(tx, organization.id, user.id)
  if (!isSame(current, before) || (await hasPendingChange(tx, organization.id, user.id))) return
  const isAdmin = (one: MembershipState | undefined) => one?.role === 'admin' && one.status === 'active'
  if (isAdmin(current) && !isAdmin(wanted) && (await countAdmins(tx, organization.id)) <= 1) {
    await tellAgain(tx, organization.id, user.id)
    return
  }
  if (!current && (await isKeptOut(tx, organization, user))) {
    await tellAgain(tx, organization.id, user.id)
    return
  }
  const hadAccess = current?.status === 'active'
  const hasAccess = wanted?.status === 'active'
  if (wanted) await putMembership(tx, { organization: organization.id, user: user.id, ...wanted }, now)
  else await removeMembership(tx, organization.id, user.id, REMOVED_THERE, now)
  await markTold(tx, organization.id, user.id)
  if (hadAccess && !hasAccess) {
    await deactivateOrganization(tx, organization.id, [user.id])
    await revokeInvitationsOf(tx, organization.id, user, now)
  }
  const action =
    hadAccess && hasAccess
      ? 'member.role-changed'
      : hasAccess
        ? 'member.joined'
        : hadAccess
          ? 'member.removed'
          : undefined
  if (!action) return
  const detail = { from: current?.role ?? null, to: wanted?.role ?? null }
  await recordAudit(tx, organization.id, { kind: 'identity-provider' }, now, {
    action,
    target: { kind: 'user', id: user.id },
    detail,
  })
}

/** The provider does not let in a user whom a member has removed here: signing in there may be all that they did. */
async function isKeptOut(tx: Tx, organization: OrganizationRef, user: UserRecord): Promise<boolean> {
  const departure = await readDeparture(tx, organization.id, user.id)
  return departure?.kind === 'removed' && departure.removedBy !== REMOVED_THERE.removedBy
}

function isSame(one: MembershipState | undefined, other: MembershipState | undefined): boolean {
  return one?.role === other?.role && one?.status === other?.status
}
