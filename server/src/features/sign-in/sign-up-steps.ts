import { recordAudit } from '../../access/audit-trail.ts'
import type { Visitor } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/known-callers.ts'
import { nameFromEmail } from '../../directory/display-name.ts'
import { addMembership, hasMembership } from '../../directory/memberships.ts'
import type { OrganizationRef } from '../../directory/organizations.ts'
import { ensureUser, type UserRecord } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { KeyRing } from '../../platform/sealed-column.ts'
import { hashToken } from '../../platform/secret.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { acceptInvite, findInvite, type InviteFault, type Joined } from '../invitations/reads.ts'
import { askForCode, type CodeNeeds } from './ask-for-code.ts'
import {
  type CodePurpose,
  type CodeRequest,
  dropCodeRequest,
  findCodeRequest,
  findNewestCodeRequest,
} from './code-requests.ts'
import { spendPilotToken } from './sign-up-store.ts'

/** How a pending join has ended, for the reply of a finalizer. */
export interface JoinOutcome {
  /** In the form the wire knows. */
  organizationId: string
  state: 'joined' | 'expired' | 'revoked' | 'removed'
}

/** Told in the place of a promise of a code that will not come. */
export const SIGN_IN_ELSEWHERE = 'This address signs in through its organization; no code is needed'
const CODE_SENT = 'A code is on its way to this address'

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
): Promise<{ code: 201; message: string }> {
  const { singleSignOnOnly } = await askForCode(needs, visitor, email, async () => {
    const identityId = await needs.identity.createUser({ email })
    const user = { identityId, email, displayName: nameFromEmail(email), emailVerified: false }
    await ensureUser(needs.db, user, needs.clock.now())
    return { hasAccount: true, purpose }
  })
  return { code: 201, message: singleSignOnOnly ? SIGN_IN_ELSEWHERE : CODE_SENT }
}

export interface CompletionNeeds {
  db: Db
  clock: Clock
  identity: IdentityPort
  /** Opens what codes are for besides signing in. */
  signUpRing: KeyRing
  callers: Pick<KnownCallers, 'forget'>
}

/**
 * Does what the proven code of somebody was for besides signing in. An invite that has died meanwhile joins nobody,
 * and signs them in all the same: the address is theirs.
 * @param askedBy the browser that asked for the code; null where the identity provider does not tell them apart
 */
export async function completeSignUp(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
  askedBy: Buffer | null,
): Promise<JoinOutcome | undefined> {
  const { email } = user
  const [db, ring, now] = [needs.db, needs.signUpRing, needs.clock.now()]
  const request = askedBy
    ? await findCodeRequest(db, ring, { email, browserHash: askedBy }, now)
    : await findNewestCodeRequest(db, ring, email, now)
  if (!request?.purpose) return undefined
  const { purpose } = request
  if (purpose.kind === 'member') return await joinByInvite(needs, visitor, user, request)
  await transaction(db, async (tx) => {
    if (!(await dropCodeRequest(tx, request))) return
    await spendPilotToken(tx, hashToken(purpose.token), email, needs.clock.now())
  })
  return undefined
}

async function joinByInvite(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
  request: CodeRequest,
): Promise<JoinOutcome | undefined> {
  const { purpose } = request
  if (purpose?.kind !== 'member') return undefined
  const { token, organization } = purpose
  const found = await findInvite(needs.db, token, needs.clock.now())
  if (typeof found !== 'string' && (found.email === undefined || found.email === user.email)) {
    await needs.identity.createMembership({
      organization: found.organization.identityId,
      user: user.identityId,
      role: found.role,
    })
  }
  const outcome = await transaction(needs.db, async (tx) => {
    if (!(await dropCodeRequest(tx, request))) return undefined
    const { requestId, address } = visitor
    return await acceptInvite(tx, token, { user, requestId, address }, needs.clock.now())
  })
  needs.callers.forget(user.id)
  return outcome && { organizationId: organization, state: stateOf(outcome) }
}

function stateOf(outcome: Joined | InviteFault): JoinOutcome['state'] {
  if (typeof outcome !== 'string') return 'joined'
  if (outcome === 'expired') return 'expired'
  return outcome === 'inactive' ? 'removed' : 'revoked'
}

/**
 * Makes somebody a member of the organization whose single sign-on vouches for them: by an invitation of that
 * organization where one waits for them, else as a member. Who has a membership keeps it as it is.
 */
export async function joinByDomain(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
  organization: OrganizationRef,
): Promise<void> {
  const now = needs.clock.now()
  const pending = await findNewestCodeRequest(needs.db, needs.signUpRing, user.email, now)
  const { purpose } = pending ?? {}
  const invite = purpose?.kind === 'member' ? await findInvite(needs.db, purpose.token, now) : 'dead'
  if (pending && typeof invite !== 'string' && invite.organization.id === organization.id)
    await joinByInvite(needs, visitor, user, pending)

  if (await hasMembership(needs.db, organization.id, user.id)) return
  const role = 'member'
  await needs.identity.createMembership({
    organization: organization.identityId,
    user: user.identityId,
    role,
  })
  await transaction(needs.db, async (tx) => {
    const added = await addMembership(tx, { organization: organization.id, user: user.id, role }, now)
    if (!added) return
    const { requestId, address } = visitor
    const deed = { action: 'member.joined', target: { kind: 'user', id: user.id }, detail: { role } } as const
    await recordAudit(tx, organization.id, { user, requestId, address }, deed, now)
  })
  needs.callers.forget(user.id)
}
