import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type SessionNeeds, startSession } from '../../access/sessions/session.ts'
import { restoreMembership } from '../../directory/members/memberships.ts'
import { ensureOrganization } from '../../directory/organizations.ts'
import { ensureUser, findUserByEmail } from '../../directory/users.ts'
import { trusted } from '../../platform/ids.ts'

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

/** Signs in the developer, made on first use. The operation does not exist in production. */
export async function devSignIn(needs: Needs, caller: CallerOf<'devSignIn'>): Promise<Reply<'devSignIn'>> {
  const now = needs.clock.now()
  await ensureUser(needs.db, developer, now)
  const user = await findUserByEmail(needs.db, developer.email)
  if (!user) throw new Error('the developer has just been made and is not there')
  const organization = await ensureOrganization(needs.db, developmentOrganization, now)
  await restoreMembership(needs.db, { organization: organization.id, user: user.id, role: 'admin' }, now)
  const { id, email } = user
  await startSession(needs, caller, { user: id, email, organization: organization.id, method: 'dev' })
  return { status: 200, body: { user: { id, email } } }
}
