import { type EnforcedSsoNeeds, findEnforcedSso } from '../../../directory/domains/domains.ts'
import { findMember } from '../../../directory/members/members.ts'
import type { OrganizationRef } from '../../../directory/organizations.ts'
import { findUserByEmail, type UserRecord } from '../../../directory/users.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { hashToken, newToken } from '../../../platform/secrets/secret.ts'
import { keepRecoveryLink } from './recovery-store.ts'

export const RECOVERY_MINUTES = 15

/**
 * The administrator for whom an operator makes a link.
 * @param email normalized
 * @throws Error with a message for the operator where it would be of no use
 */
export async function requireLockedOutAdmin(
  needs: EnforcedSsoNeeds,
  organization: OrganizationRef,
  email: string,
): Promise<UserRecord> {
  const user = await findUserByEmail(needs.db, email)
  if (!user || !(await isAdmin(needs.db, organization, user)))
    throw new Error(`${email} is no administrator of ${organization.identityId}`)
  const enforced = await findEnforcedSso(needs, email)
  if (enforced && enforced.organization.id !== organization.id)
    throw new Error(`${email} signs in by the single sign-on of ${enforced.organization.identityId}`)
  return user
}

/** Makes the token of a link that signs an administrator in once, into one organization. Earlier ones are void. */
export async function makeRecoveryToken(
  tx: Tx,
  organization: OrganizationRef,
  user: UserRecord,
  now: Date,
): Promise<string> {
  const token = newToken('rec')
  const expiresAt = secondsAfter(now, RECOVERY_MINUTES * 60)
  const whose = { organization: organization.id, user: user.id }
  await keepRecoveryLink(tx, whose, { tokenHash: hashToken(token), expiresAt }, now)
  return token
}

/** Where the token is used. It is behind the `#`: no server and no proxy logs it. */
export function recoveryUrl(frontendUrl: string, token: string): string {
  return `${frontendUrl}/recovery#${token}`
}

export async function isAdmin(
  db: Db,
  organization: Pick<OrganizationRef, 'id'>,
  user: Pick<UserRecord, 'id'>,
): Promise<boolean> {
  return (await findMember(db, organization.id, user.id))?.role === 'admin'
}
