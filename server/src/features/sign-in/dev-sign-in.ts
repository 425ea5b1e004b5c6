import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type SessionNeeds, startSession } from '../../access/sessions/session.ts'
import { putMembership, readMembershipState } from '../../directory/members/memberships.ts'
import { ensureOrganization } from '../../directory/organizations.ts'
import {
  ensureUser,
  findUserByEmail,
  findUserByIdentityId,
  holdUser,
  type UserRecord,
} from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, trusted } from '../../platform/ids.ts'

interface Needs extends SessionNeeds {}

/** Who `dev-sign-in` signs in, and where. Fixed, so that scripts can rely on it. */
export const developer = {
  identityId: trusted.identityUserId('user_00000000000000000DEVELOPER'),
  email: 'developer@atrium.example',
  displayName: 'Atrium Developer',
  emailVerified: true,
}
export const developmentOrganization = {
  identityId: trusted.identityOrganizationId('org_0000000000000000DEVELOPMENT'),
  name: 'Atrium Development',
}

/** Signs in the developer, made on first use, as an admin. The operation does not exist in production. */
export async function devSignIn(needs: Needs, caller: CallerOf<'devSignIn'>): Promise<Reply<'devSignIn'>> {
  const now = needs.clock.now()
  const { id, email } = await developerAccount(needs.db, now)
  const organization = await ensureOrganization(needs.db, developmentOrganization, now)
  const state = await readMembershipState(needs.db, organization.id, id)
  if (state?.role !== 'admin' || state.status !== 'active')
    await putMembership(
      needs.db,
      { organization: organization.id, user: id, role: 'admin', status: 'active' },
      now,
    )
  await startSession(needs, caller, { user: id, email, organization: organization.id, method: 'dev' })
  return { status: 200, body: { user: { id, email } } }
}

/** The one account, under the address that it has by now; another one where it has been closed. */
async function developerAccount(db: Db, now: Date): Promise<Pick<UserRecord, 'id' | 'email'>> {
  const first = await findUserByIdentityId(db, developer.identityId)
  if (first && (await transaction(db, (tx) => holdUser(tx, first.id)))) return first
  const identityId = first ? trusted.identityUserId(newIdentityId('user', now)) : developer.identityId
  await ensureUser(db, { ...developer, identityId }, now)
  const account = await findUserByEmail(db, developer.email)
  if (!account) throw new Error('the developer has just been made and is not there')
  return account
}
