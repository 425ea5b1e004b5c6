import type { SessionNeeds } from '../../../access/sessions/session.ts'
import { nameFromEmail, requireName } from '../../../directory/display-name.ts'
import { domainOf, findEnforcedSso, findOwnerOfDomain } from '../../../directory/domains/domains.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import {
  ensureUser,
  findUserByEmail,
  findUserById,
  holdUser,
  markEmailVerified,
  type UserRecord,
} from '../../../directory/users.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AssertedIdentity } from '../../../ports/asserted-identity.ts'
import { isAwaited } from '../../invitations/reads.ts'
import { dropCodeRequestsOf } from '../code/code-requests.ts'
import { obstructedBy } from '../obstacles.ts'
import { hasAccount } from '../sign-up/by-invitation.ts'
import type { CompletionNeeds, DirectoryHold } from '../sign-up/sign-up-steps.ts'
import { type Decision, decideLinking } from './linking-rules.ts'
import { findLinkedUser, hasIdentityAt, linkIdentity } from './redirect-store.ts'
import type { FederatedNeeds } from './start-federated.ts'

export interface ArrivalNeeds extends SessionNeeds, FederatedNeeds, CompletionNeeds, DirectoryHold {}

/**
 * The user that an asserted identity signs in as: found, linked or made as the rules decide.
 * @param sso the organization with the single sign-on that asserts it
 * @throws Refusal invalid where it enters as no person
 */
export async function personOf(
  needs: ArrivalNeeds,
  identity: AssertedIdentity,
  sso: OrganizationId | null,
): Promise<UserRecord> {
  const linked = await findLinkedUser(needs.db, identity)
  const known = linked && (await findUserById(needs.db, linked))
  const email = normalizeEmail(identity.email)
  // An identity is known by what was proven once; the address in the token is hearsay beside it.
  const account = known ?? (email === undefined ? undefined : await findUserByEmail(needs.db, email))
  const address = known?.email ?? email
  const decision = decideLinking({
    way: sso === null ? 'social' : 'sso',
    known: known !== undefined,
    hasEmail: email !== undefined,
    emailVerified: identity.emailVerified,
    emailAuthoritative: identity.emailAuthoritative,
    account: account === undefined ? 'none' : account.emailVerified ? 'verified' : 'unverified',
    heldForAnother: known === undefined && (await isHeldForAnother(needs, identity, { account, email }, sso)),
    inDomainOfOrganization: await allInDomainOf(needs, sso, known ? [email, known.email] : [email]),
    enforced: sso === null && address !== undefined && (await findEnforcedSso(needs, address)) !== undefined,
  })
  if (decision === 'enter') return known as UserRecord
  if (decision !== 'create' && decision !== 'link' && decision !== 'adopt') throw refusalOf(decision)
  const person =
    decision === 'create'
      ? await create(needs, identity, email as string, sso)
      : await link(needs, identity, account as UserRecord, sso)
  // another account has the address by now, or none: decided anew
  return person ?? (await personOf(needs, identity, sso))
}

function refusalOf(decision: Extract<Decision, `refuse-${string}`>): Refusal {
  switch (decision) {
    case 'refuse-no-email':
      return Refusal.of('no-email')
    case 'refuse-foreign-domain':
      return Refusal.of('foreign-domain')
    case 'refuse-sso-enforced':
      return obstructedBy('single-sign-on-required')
    case 'refuse-held-for-another':
      return Refusal.of('identity-unusable')
    case 'refuse-unproven':
      return obstructedBy('email-not-proven')
  }
}

/**
 * What a person who has left has written is not given to the next one of their address; and the directory may have given
 * the name to another account, which it took out.
 */
async function isHeldForAnother(
  needs: ArrivalNeeds,
  { issuer }: AssertedIdentity,
  { account, email }: { account: UserRecord | undefined; email: string | undefined },
  sso: OrganizationId | null,
): Promise<boolean> {
  if (sso === null || email === undefined) return false
  if (await needs.holdsNameInactive(needs.db, sso, { email, user: account?.id })) return true
  if (account === undefined) return false
  return (
    (await hasIdentityAt(needs.db, issuer, account.id)) &&
    (await needs.holdsInactive(needs.db, sso, account.id))
  )
}

async function allInDomainOf(
  needs: ArrivalNeeds,
  sso: OrganizationId | null,
  emails: (string | undefined)[],
): Promise<boolean> {
  if (sso === null) return false
  for (const email of emails) {
    const owner = email === undefined ? undefined : await findOwnerOfDomain(needs.db, domainOf(email))
    if (owner?.id !== sso) return false
  }
  return true
}

/**
 * An unproven account holds nothing but its address; what waits for its first code is dropped.
 * @returns undefined where it does not have the address any more
 */
async function link(
  needs: ArrivalNeeds,
  identity: AssertedIdentity,
  account: UserRecord,
  sso: OrganizationId | null,
): Promise<UserRecord | undefined> {
  if (!hasAccount(needs, account)) await requireInvited(needs, account.email, sso)
  const now = needs.clock.now()
  const user = await transaction(needs.db, async (tx) => {
    if (!(await holdUser(tx, account.id, account.email))) return undefined
    if (!account.emailVerified) await dropCodeRequestsOf(tx, account.email)
    await markEmailVerified(tx, account.id, now)
    return await linkIdentity(tx, identity, account.id, now)
  })
  return user && (await present(needs, user))
}

/** Where sign-up is by invitation: an organization's single sign-on is one. */
async function requireInvited(needs: ArrivalNeeds, email: string, sso: OrganizationId | null): Promise<void> {
  if (sso !== null || !needs.signUpByInvitation) return
  if (!(await isAwaited(needs.db, email, needs.clock.now()))) throw Refusal.of('sign-up-by-invitation')
}

/** @returns undefined where another request has made an account of the address meanwhile */
async function create(
  needs: ArrivalNeeds,
  identity: AssertedIdentity,
  email: string,
  sso: OrganizationId | null,
): Promise<UserRecord | undefined> {
  await requireInvited(needs, email, sso)
  const identityId = await needs.identity.createUser({ email })
  const [firstName, lastName] = [readable(identity.firstName), readable(identity.lastName)]
  const fullName = `${firstName} ${lastName}`.trim() || readable(identity.wholeName ?? '', 100)
  const now = needs.clock.now()
  const user = {
    identityId,
    email,
    displayName: fullName.length >= 2 ? fullName.slice(0, 100) : nameFromEmail(email),
    emailVerified: true,
    firstName,
    lastName,
  }
  await ensureUser(needs.db, user, now)
  const made = await findUserByEmail(needs.db, email)
  if (made?.identityId !== identityId || !made.emailVerified) return undefined
  return await present(needs, await linkIdentity(needs.db, identity, made.id, now))
}

async function present(needs: ArrivalNeeds, id: UserRecord['id']): Promise<UserRecord> {
  const user = await findUserById(needs.db, id)
  if (!user) throw new Error('a linked account is not there')
  return user
}

/** Names come from strangers: what cannot be shown is left out. */
function readable(name: string, max = 50): string {
  try {
    return requireName(name, 'name', { min: 1, max })
  } catch {
    return ''
  }
}
