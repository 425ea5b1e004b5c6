import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { Visitor } from '../../../access/caller.ts'
import { findEnforcedSso } from '../../../directory/domains/domains.ts'
import { findUserByEmail } from '../../../directory/users.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { findInvite, previewJoin } from '../../invitations/reads.ts'
import { nameBrowser } from '../browser-binding.ts'
import { type CodePurpose, keepCodeRequest } from './code-requests.ts'

export interface CodeNeeds {
  db: Db
  clock: Clock
  identity: IdentityPort
  /** Seals what codes are for besides signing in. */
  signUpRing: KeyRing
  budgets: Pick<Budgets, 'drawCode'>
  signUpByInvitation: boolean
}

/** What is asked for, found out once the budget allows it. */
export interface CodeWish {
  /** Whether there is an account by now; where not, the mail points to sign-up. */
  hasAccount: boolean
  purpose?: CodePurpose | undefined
}

/** Longer than a code lives: who has it sent again still joins. */
const REQUEST_SECONDS = 60 * 60

/**
 * Mails a code that counts for this browser: its tries, what replaces it and what it is for are no other browser's. A
 * stranger's sign-up for an address does nothing to its owner, who signs in by a code of their own.
 * @param email normalized
 * @returns whether a code goes out: not where single sign-on is the only way in, which the mail then says
 * @throws Refusal too-many
 */
export async function askForCode(
  needs: CodeNeeds,
  visitor: Visitor,
  email: string,
  wishOf: () => Promise<CodeWish>,
): Promise<{ singleSignOnOnly: boolean }> {
  await needs.budgets.drawCode(visitor, email)
  const { hasAccount, purpose } = await wishOf()
  const browserHash = nameBrowser(visitor, email)
  const now = needs.clock.now()
  const expiresAt = secondsAfter(now, REQUEST_SECONDS)
  await keepCodeRequest(needs.db, needs.signUpRing, { email, browserHash, purpose, expiresAt }, now)
  const singleSignOnOnly = (await findEnforcedSso(needs, email)) !== undefined
  const joining = await organizationOf(needs, email, purpose)
  await needs.identity.sendCode({
    email,
    language: visitor.language,
    hasAccount,
    browserHash,
    singleSignOnOnly,
    ...(joining === undefined ? {} : { joining }),
  })
  return { singleSignOnOnly }
}

/** The name of the organization that a member joins by a code, as long as its token holds for them. */
async function organizationOf(needs: CodeNeeds, email: string, purpose: CodePurpose | undefined) {
  if (purpose?.kind !== 'member') return undefined
  const now = needs.clock.now()
  const invite = await findInvite(needs.db, purpose.token, now)
  if (typeof invite === 'string') return undefined
  const user = await findUserByEmail(needs.db, email)
  if (!user) return invite.organization.name
  const role = await previewJoin(needs.db, invite, user, now)
  return role === undefined || role === 'removed' ? undefined : invite.organization.name
}
