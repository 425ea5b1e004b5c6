import type { Session } from '../../access/caller.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/**
 * Whether a session may work in an organization. One organization's single sign-on vouches for its people towards
 * itself: whoever administers it could assert anybody of its domain, so a session that it made enters no other.
 * And an organization whose domain a person belongs to accepts that person by its own single sign-on only.
 * @param capturedBy the organization with single sign-on for the domain of the person's address
 */
export function mayEnter(
  session: Pick<Session, 'method' | 'ssoOrganizationId'>,
  target: OrganizationId,
  capturedBy: OrganizationId | undefined,
): boolean {
  if (session.ssoOrganizationId !== null) return session.ssoOrganizationId === target
  return capturedBy !== target || session.method === 'dev'
}
