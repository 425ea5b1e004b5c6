import { recordAudit } from '../../access/audit-trail.ts'
import type { Visitor } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/known-callers.ts'
import { nameFromEmail } from '../../directory/display-name.ts'
import { findCapture } from '../../directory/domains.ts'
import { addMembership, hasMembership } from '../../directory/memberships.ts'
import type { OrganizationRef } from '../../directory/organizations.ts'
import { ensureUser, type UserRecord } from '../../directory/users.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { KeyRing } from '../../platform/sealed-column.ts'
import { hashToken } from '../../platform/secret.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { acceptInvite, findInvite } from '../invitations/reads.ts'
import {
  dropPendingSignUp,
  findPendingSignUp,
  keepPendingSignUp,
  type PendingSignUp,
  spendPilotToken,
} from './sign-up-store.ts'

export interface SignUpNeeds {
  db: Db
  clock: Clock
  identity: IdentityPort
  /** Seals the tokens of sign-ups that wait for their code. */
  signUpRing: KeyRing
}

/** Longer than a code lives: who has it sent again still joins. */
const PENDING_SECONDS = 60 * 60

/**
 * Makes an unverified account where there is none and mails a code. What the code is for is what was begun last:
 * a sign-up that somebody else began for an address does nothing to its owner, who signs in by a code of their own.
 */
export async function beginSignUp(
  needs: SignUpNeeds,
  signUp: { email: string; pending?: PendingSignUp; joining?: string },
): Promise<void> {
  const { email, pending, joining } = signUp
  const now = needs.clock.now()
  const identityId = await needs.identity.createUser({ email })
  await ensureUser(
    needs.db,
    { identityId, email, displayName: nameFromEmail(email), emailVerified: false },
    now,
  )
  if (pending) {
    const expiresAt = secondsAfter(now, PENDING_SECONDS)
    await keepPendingSignUp(needs.db, needs.signUpRing, { ...pending, email, expiresAt }, now)
  } else {
    await dropPendingSignUp(needs.db, email)
  }
  const singleSignOnOnly = (await findCapture(needs, email)) !== undefined
  const purpose = joining === undefined ? {} : { joining }
  await needs.identity.sendCode({ email, hasAccount: true, singleSignOnOnly, ...purpose })
}

export interface CompletionNeeds extends SignUpNeeds {
  callers: Pick<KnownCallers, 'forget'>
}

/**
 * Does what the proven code of somebody was for besides signing in. An invite that has died meanwhile joins
 * nobody, and signs them in all the same: the address is theirs.
 */
export async function completeSignUp(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
): Promise<void> {
  const pending = await findPendingSignUp(needs.db, needs.signUpRing, user.email, needs.clock.now())
  if (!pending) return
  if (pending.kind === 'member') await joinByInvite(needs, visitor, user, pending.token)
  else
    await transaction(needs.db, async (tx) => {
      if (!(await dropPendingSignUp(tx, user.email))) return
      await spendPilotToken(tx, hashToken(pending.token), user.email, needs.clock.now())
    })
}

async function joinByInvite(
  needs: CompletionNeeds,
  visitor: Visitor,
  user: UserRecord,
  token: string,
): Promise<void> {
  const found = await findInvite(needs.db, token, needs.clock.now())
  if (typeof found === 'string' || (found.email !== undefined && found.email !== user.email)) {
    await dropPendingSignUp(needs.db, user.email)
    return
  }
  const { organization, role } = found
  await needs.identity.createMembership({
    organization: organization.identityId,
    user: user.identityId,
    role,
  })
  await transaction(needs.db, async (tx) => {
    if (!(await dropPendingSignUp(tx, user.email))) return
    const { requestId, address } = visitor
    await acceptInvite(tx, token, { user, requestId, address }, needs.clock.now())
  })
  needs.callers.forget(user.id)
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
  const pending = await findPendingSignUp(needs.db, needs.signUpRing, user.email, now)
  const invite = pending?.kind === 'member' ? await findInvite(needs.db, pending.token, now) : 'dead'
  if (pending && typeof invite !== 'string' && invite.organization.id === organization.id)
    await joinByInvite(needs, visitor, user, pending.token)

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
