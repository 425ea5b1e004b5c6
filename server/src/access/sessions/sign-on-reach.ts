import { domainOf, type EnforcedSso, findOwnerOfDomain } from '../../directory/domains/domains.ts'
import { listLeftSince } from '../../directory/members/departures.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import { findOrganizationById, type OrganizationRef } from '../../directory/organizations.ts'
import { readRetention } from '../../directory/retention.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/audit-trail.ts'
import type { Session, SignedInCaller } from '../caller.ts'
import { activateOrganization } from './session-store.ts'

/**
 * Whether a session may work in an organization. Single sign-on of the organization that has proven, by the DNS, the
 * domain of the person's own address is as good as a code that is mailed there: the owner of the domain controls both.
 * Any other one vouches for its people towards its own organization only: its administrator could assert any person of
 * its domain. And where single sign-on is demanded, nothing else counts.
 * @param enforcedSso the organization of the single sign-on that the domain of the person's address demands
 */
export function mayEnter(
  session: Pick<Session, 'method' | 'ssoOrganizationId'>,
  target: OrganizationId,
  enforcedSso: EnforcedSso | undefined,
): boolean {
  const madeBy = session.ssoOrganizationId
  if (madeBy === null) return enforcedSso === undefined || session.method === 'dev'
  if (madeBy === target) return true
  return enforcedSso?.organization.id === madeBy && enforcedSso.organization.provenByDns
}

/** Whether a session stands for its person in an organization; without one, in any. */
export async function reaches(
  db: Db,
  { session, user }: { session: Pick<Session, 'ssoOrganizationId'>; user: { email: string } },
  target?: OrganizationId,
): Promise<boolean> {
  const madeBy = session.ssoOrganizationId
  if (madeBy === null || madeBy === target) return true
  const owner = await findOwnerOfDomain(db, domainOf(user.email))
  return owner?.id === madeBy && owner.provenByDns
}

/** @throws Refusal forbidden where the session does not reach the organization; without one, any but its own */
export async function requireReach(db: Db, caller: SignedInCaller, target?: OrganizationId): Promise<void> {
  if (!(await reaches(db, caller, target))) throw Refusal.of('sign-in-method-not-accepted')
}

/**
 * What others see of a person is the same in every organization.
 * @param since those too that they have left since then: what is of that moment is of these as well
 * @throws Refusal forbidden where the session does not stand for the person in each of theirs
 */
export async function requireReachOfAll(db: Db, caller: SignedInCaller, since?: Date): Promise<void> {
  if (await reaches(db, caller)) return
  const { user, session } = caller
  const memberships = await listActiveMemberships(db, user.id)
  const organizations = [
    ...memberships.map(({ organizationId }) => organizationId),
    ...(since ? await listLeftSince(db, user.id, since) : []),
  ]
  if (organizations.some((organization) => organization !== session.ssoOrganizationId))
    throw Refusal.of('sign-in-method-not-accepted')
}

/**
 * Lets a session that works in no organization work in one. Call it last, as `recordAudit`; afterwards call
 * `callers.forget`.
 */
export async function enterWhereNone(
  tx: Tx,
  caller: SignedInCaller,
  organization: OrganizationRef,
  now: Date,
): Promise<void> {
  const { sessionDays } = await readRetention(tx, organization.id)
  const signedInAfter = sessionDays === null ? null : secondsAfter(now, -sessionDays * DAY_SECONDS)
  const entered = await activateOrganization(tx, caller.session.id, organization.id, signedInAfter)
  if (entered) await recordEntry(tx, caller, organization.id, now)
}

/** Records an entry by another organization's single sign-on in the trail of the organization entered. */
export async function recordEntry(
  tx: Tx,
  caller: SignedInCaller,
  organization: OrganizationId,
  now: Date,
): Promise<void> {
  const madeBy = caller.session.ssoOrganizationId
  if (madeBy === null) return
  const signedInBy = await findOrganizationById(tx, madeBy)
  await recordAudit(tx, organization, caller, now, {
    action: 'member.entered',
    target: { kind: 'user', id: caller.user.id },
    detail: { signedInBy: signedInBy?.identityId ?? null },
  })
}
