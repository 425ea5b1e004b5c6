import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type SessionNeeds, startSession } from '../../../access/sessions/session.ts'
import { type EnforcedSsoNeeds, findEnforcedSso } from '../../../directory/domains/domains.ts'
import { findOrganizationById } from '../../../directory/organizations.ts'
import { findUserById } from '../../../directory/users.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import { toSessionUser } from '../session-user.ts'
import { isAdmin } from './make-recovery-link.ts'
import { findRecoveryLink, useRecoveryLink } from './recovery-store.ts'

interface Needs extends SessionNeeds, EnforcedSsoNeeds {
  imageBaseUrl: string
}

/**
 * Signs an administrator in by the link of an operator, once. The session reaches as far as one by single sign-on of the
 * organization of the link would: an operator was asked by its people, not by those of others.
 */
export async function recoverAccess(
  needs: Needs,
  caller: CallerOf<'recoverAccess'>,
  input: Input<'recoverAccess'>,
): Promise<Reply<'recoverAccess'>> {
  const now = needs.clock.now()
  const tokenHash = hashToken(input.token)
  const link = await findRecoveryLink(needs.db, tokenHash, now)
  const user = link && (await findUserById(needs.db, link.user))
  const organization = link && (await findOrganizationById(needs.db, link.organization))
  if (!user || !organization || !(await isAdmin(needs.db, organization, user))) throw noSuchLink()
  const enforced = await findEnforcedSso(needs, user.email)
  if (enforced && enforced.organization.id !== organization.id) throw noSuchLink()
  const start = {
    user: user.id,
    email: user.email,
    organization: organization.id,
    // as the way in that it takes the place of: such sessions end where that way does
    method: enforced ? 'sso' : 'magic_auth',
    ssoOrganization: organization.id,
    means: 'recovery-link',
  } as const
  const hasBegun = await startSession(needs, caller, start, async (tx) => {
    if (!(await useRecoveryLink(tx, tokenHash))) throw noSuchLink()
  })
  if (!hasBegun) throw noSuchLink()
  return { status: 200, body: { user: toSessionUser(user, needs.imageBaseUrl) } }
}

function noSuchLink(): Refusal {
  return Refusal.of('invalid-code', { message: 'This link was used already, or has expired' })
}
