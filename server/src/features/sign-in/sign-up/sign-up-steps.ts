import { recordAttempt } from '../../../access/audit/audit-trail.ts'
import type { Visitor } from '../../../access/caller.ts'
import { joinImported } from '../../../access/imported-membership.ts'
import { logSecurity } from '../../../access/security-log.ts'
import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import { reaches } from '../../../access/sessions/sign-on-reach.ts'
import { nameFromEmail } from '../../../directory/display-name.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { OrganizationRef } from '../../../directory/organizations.ts'
import {
  ensureUser,
  findUserByEmail,
  holdUser,
  markEmailVerified,
  type UserRecord,
} from '../../../directory/users.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { CodeProof, IdentityPort } from '../../../ports/identity.ts'
import {
  acceptInvite,
  findInvite,
  type InviteFault,
  type Joined,
  joinBySingleSignOn,
  listOffered,
  previewJoin,
} from '../../invitations/reads.ts'
import { askForCode, type CodeNeeds } from '../code/ask-for-code.ts'
import {
  type CodePurpose,
  type CodeRequest,
  dropCodeRequest,
  findCodeRequest,
  findNewestCodeRequest,
} from '../code/code-requests.ts'
import { hasAccount } from './by-invitation.ts'
import { spendPilotToken } from './sign-up-store.ts'

/** What the directory of an organization has said of people. */
export interface DirectoryHold {
  /** Whether it holds an account inactive. */
  holdsInactive(db: Db, organization: OrganizationId, user: UserId): Promise<boolean>
  /** Whether it holds another user of this name or address inactive, and knows no member by it. */
  holdsNameInactive(
    db: Db,
    organization: OrganizationId,
    named: { email: string; user: UserId | undefined },
  ): Promise<boolean>
}

/** How a pending join has ended, for the reply of a finalizer. */
export interface JoinOutcome {
  /** In the form the wire knows. */
  organizationId: string
  state: 'joined' | 'expired' | 'revoked' | 'removed'
}

/**
 * The answer to a visitor who asks for a code: a promise of one only where it will come. The interface shows a reply of
 * code and message only; `authMethod` is there where it says that something else is to be done.
 */
export function promiseOf(
  { singleSignOnOnly }: { singleSignOnOnly: boolean },
  promise = 'A code is on its way to this address',
): { message: string; authMethod?: 'sso' } {
  if (!singleSignOnOnly) return { message: promise }
  return { message: 'This address signs in through its organization; no code is needed', authMethod: 'sso' }
}

/**
 * Makes an unverified account where there is none and mails a code.
 * @param email normalized
 * @returns what to answer
 */
export async function beginSignUp(
  needs: CodeNeeds,
  visitor: Visitor,
  email: string,
  purpose?: CodePurpose,
): Promise<{ code: 201 } & ReturnType<typeof promiseOf>> {
  const request = await askForCode(needs, visitor, email, async () => {
    const known = await findUserByEmail(needs.db, email)
    const identityId = await needs.identity.createUser({ email, knownAs: known?.identityId })
    const user = { identityId, email, displayName: nameFromEmail(email), emailVerified: false }
    await ensureUser(needs.db, user, needs.clock.now())
    return { hasAccount: true, purpose }
  })
  return { code: 201, ...promiseOf(request) }
}

export interface CompletionNeeds {
  db: Db
  clock: Clock
  identity: IdentityPort
  /** Opens what codes are for besides signing in. */
  signUpRing: KeyRing
  callers: Pick<KnownCallers, 'forget'>
  signUpByInvitation: boolean
  log: Pick<Log, 'info'>
}

/**
 * The account of a proven code, once code, address and pilot token have held together: all of it is committed, or
 * nothing is.
 * @returns undefined where the code proves nothing; request: what it was asked for by
 * @throws Refusal invalid-invite-token where another address has spent the pilot token, or its time is over
 */
export async function acceptCode(
  needs: CompletionNeeds,
  proof: CodeProof,
): Promise<{ user: UserRecord; request: CodeRequest | undefined } | undefined> {
  const { email, askedBy } = proof
  const now = needs.clock.now()
  return await transaction(needs.db, async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (!user || !(await holdUser(tx, user.id, email))) return undefined
    const request = askedBy
      ? await findCodeRequest(tx, needs.signUpRing, { email, browserHash: askedBy }, now)
      : await findNewestCodeRequest(tx, needs.signUpRing, email, now)
    if (!hasAccount(needs, user) && !request?.purpose) return undefined
    if (!(await proof.spend(tx))) return undefined
    await markEmailVerified(tx, user.id, now)
    if (request?.purpose?.kind === 'pilot') {
      await dropCodeRequest(tx, request)
      const isSpent = await spendPilotToken(tx, hashToken(request.purpose.token), now)
      if (!isSpent) throw Refusal.of('invalid-invite-token')
    }
    await joinImported(tx, { id: user.id, email }, now)
    return { user, request }
  })
}

/**
 * Makes a user a member by the invite that their proven code was for. One that has died meanwhile makes no member, and
 * the code signs them in all the same: the address is theirs.
 */
export async function joinByInvite(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
  request: CodeRequest | undefined,
): Promise<JoinOutcome | undefined> {
  if (request?.purpose?.kind !== 'member') return undefined
  const { purpose } = request
  const { token, organization } = purpose
  const now = needs.clock.now()
  const found = await findInvite(needs.db, token, now)
  const role = typeof found === 'string' ? undefined : await previewJoin(needs.db, found, user, now)
  if (typeof found !== 'string' && role !== undefined && role !== 'removed') {
    await needs.identity.createMembership({
      organization: found.organization.identityId,
      user: user.identityId,
      role,
    })
  }
  const outcome = await transaction(needs.db, async (tx) => {
    if (!(await dropCodeRequest(tx, request))) return undefined
    const { requestId, address } = visitor
    return await acceptInvite(tx, token, { user, requestId, address }, needs.clock.now())
  })
  needs.callers.forget(user.id)
  return outcome && joinOutcome(needs, visitor, user, { organization, way: 'sign-up', outcome })
}

/**
 * What the reply of a finalizer says beside the person: how a join has ended, and what waits for them still.
 * @param sso the organization of the single sign-on that has made the session
 */
export async function tellJoining(
  { db, clock }: Pick<CompletionNeeds, 'db' | 'clock'>,
  user: UserRecord,
  joined: JoinOutcome | undefined,
  sso: OrganizationId | null = null,
): Promise<{ joined?: JoinOutcome; waiting?: string[] }> {
  const standsForThem = await reaches(db, { session: { ssoOrganizationId: sso }, user })
  const offered = standsForThem ? await listOffered(db, user.id, clock.now()) : []
  const waiting = offered.map(({ organization }) => organization.identityId)
  return { ...(joined ? { joined } : {}), ...(waiting.length > 0 ? { waiting } : {}) }
}

/** The directory has taken out another user of their name. */
async function refuseJoin(
  tx: Tx,
  { requestId, address }: Visitor,
  user: UserRecord,
  organization: OrganizationId,
  now: Date,
): Promise<'removed'> {
  const detail = { way: 'single-sign-on', reason: 'removed' }
  await recordAttempt(tx, organization, { user, requestId, address }, now, {
    action: 'member.join-refused',
    target: { kind: 'user', id: user.id },
    detail,
  })
  return 'removed'
}

interface EndedJoin {
  /** In the form the wire knows. */
  organization: string
  way: string
  outcome: Pick<Joined, 'role'> | InviteFault
}

/** A user who is kept out is signed in all the same: no refusal tells the security log of it. */
function joinOutcome(
  { log }: Pick<CompletionNeeds, 'log'>,
  visitor: Visitor,
  user: UserRecord,
  { organization, way, outcome }: EndedJoin,
): JoinOutcome {
  const state = stateOf(outcome)
  if (typeof outcome === 'string' && state === 'removed')
    logSecurity(log, 'join-refused', { way, reason: outcome, user: user.id, organization }, visitor)
  return { organizationId: organization, state }
}

function stateOf(outcome: Pick<Joined, 'role'> | InviteFault): JoinOutcome['state'] {
  if (typeof outcome !== 'string') return 'joined'
  if (outcome === 'expired') return 'expired'
  return outcome === 'removed' || outcome === 'inactive' ? 'removed' : 'revoked'
}

/**
 * Makes a user a member of the organization that vouches for them by its single sign-on: by an invitation of that
 * organization where one waits for them, else as a member. A member keeps their role, or has the higher one that they
 * are invited to; a removed user stays out, and so does one under a name that its directory holds inactive.
 * @returns how that ended; undefined where nothing was to be changed
 */
export async function joinByDomain(
  needs: CompletionNeeds & DirectoryHold,
  visitor: Visitor,
  user: UserRecord,
  organization: OrganizationRef,
): Promise<JoinOutcome | undefined> {
  const now = needs.clock.now()
  const role = await previewJoin(needs.db, { organization, kind: 'single-sign-on' }, user, now)
  if (role === undefined) return undefined
  const isHeld = (db: Db) =>
    needs.holdsNameInactive(db, organization.id, { email: user.email, user: user.id })
  if (role !== 'removed' && !(await isHeld(needs.db))) {
    await needs.identity.createMembership({
      organization: organization.identityId,
      user: user.identityId,
      role,
    })
  }
  const { requestId, address } = visitor
  const outcome = await transaction(needs.db, async (tx) => {
    // no directory deactivates anyone meanwhile
    await lockMembers(tx, organization.id)
    if (await isHeld(tx)) return await refuseJoin(tx, visitor, user, organization.id, now)
    return await joinBySingleSignOn(tx, organization, { user, requestId, address }, now)
  })
  needs.callers.forget(user.id)
  return joinOutcome(needs, visitor, user, {
    organization: organization.identityId,
    way: 'single-sign-on',
    outcome,
  })
}
